import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;

/**
 * A connection that sends everything written in one turn of the event loop in a single write. `pg` writes each
 * statement separately, so a transaction of BEGIN and two statements would make three system calls and wake the server
 * three times: a quarter of the processor time of a sign-in. Over TLS it has no effect.
 */
export class GatheredSocket extends Socket {
  private isGathering = false;

  constructor() {
    super();
    // On connect, a socket restores the `write` of its class, so an override set earlier would never be called.
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
    // Runs after all code that does not wait for I/O.
    process.nextTick(() => {
      this.isGathering = false;
      this.uncork();
    });
  }
}
