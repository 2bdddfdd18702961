import { Socket } from 'node:net';

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
      const write = this.write.bind(this) as (...given: Parameters<Socket['write']>) => boolean;
      this.write = (...given: Parameters<Socket['write']>) => {
        this.gather();
        return write(...given);
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
