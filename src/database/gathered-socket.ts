import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * A connection on which everything that is written in one turn of the event loop leaves in one piece. `pg` writes each
 * statement by itself, so a transaction that sends BEGIN and two statements would enter the kernel three times and wake
 * the server as often: a quarter of the processor time of a sign-in. Over TLS it is a connection like any other.
 */
export class GatheredSocket extends Socket {
  private isGathering = false;

  constructor() {
    super();
    // Connecting gives a socket the `write` of its class back, so one that is overridden would never be called.
    this.once('connect', () => {
      const write = this.write.bind(this);
      this.write = (data: Uint8Array | string, encoding?: BufferEncoding | Done, done?: Done): boolean => {
        this.gather();
        return typeof encoding === 'function' ? write(data, encoding) : write(data, encoding, done);
      };
    });
  }

  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    this.cork();
    // After everything that follows without waiting for anything from outside.
    process.nextTick(() => {
      this.isGathering = false;
      this.uncork();
    });
  }
}
