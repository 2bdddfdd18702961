import type { Duplex } from 'node:stream';
import { signerUnavailable } from '../../custody.errors.js';
import { PING } from './serve-signer.js';
import { errorOf, type Fault } from './signer-faults.js';
import { LEAVING, writeFrame } from './frames.js';
import { encode, FrameReader } from './wire.js';

const RETRY_AFTER_SECONDS = 1;
/** Longer than a slow key vault takes, and shorter than a client waits. */
const TIME_LIMIT_MS = 15_000;
/** A signer that then stays silent this long is disconnected. */
const PING_LIMIT_MS = 5_000;
/** Maximum number of pending requests: more would only wait. */
const MOST_WAITING = 1_000;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly fault?: Fault;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export const unavailable = (cause: string): Error =>
  signerUnavailable({ cause: new Error(cause), retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * One connection to a signer. Once closed it stays closed, and pending requests on it are answered 503, except by a
 * signer that said that it is leaving: it still answers them.
 */
export class SignerLink {
  readonly closed: Promise<void>;
  private isLeaving = false;
  private readonly waiting = new Map<number, Waiting>();
  private readonly reader = new FrameReader();
  private last = 0;
  private readonly close: () => void;
  /** When the signer last sent anything, even part of a response. */
  private heard = 0;

  constructor(
    private readonly stream: Duplex,
    private readonly limits = { callMs: TIME_LIMIT_MS, pingMs: PING_LIMIT_MS },
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.close = resolve;
    stream.on('data', (chunk: Buffer) => this.read(chunk));
    stream.on('error', () => stream.destroy());
    stream.on('end', () => stream.destroy());
    stream.on('close', () => {
      for (const id of [...this.waiting.keys()]) this.taken(id)?.reject(unavailable('The signer went away.'));
      resolve();
    });
    // The handshake left it paused, and a listener alone does not resume it.
    stream.resume();
  }

  get isOpen(): boolean {
    return this.stream.writable && !this.isLeaving;
  }

  call(operation: string, args: readonly unknown[]): Promise<unknown> {
    return this.ask(operation, args, this.limits.callMs, () => void this.probe());
  }

  /** Whether the signer responds: one that hangs keeps its end open. */
  async ping(): Promise<void> {
    await this.ask(PING, [], this.limits.pingMs, () => undefined);
  }

  destroy(): void {
    this.stream.destroy();
  }

  private ask(operation: string, args: readonly unknown[], limitMs: number, late: () => void): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(unavailable('The signer went away.'));
    if (this.waiting.size >= MOST_WAITING) return Promise.reject(unavailable('The signer has too much to do.'));
    const id = ++this.last;
    const frame = encode({ id, operation, args });
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      this.taken(id)?.reject(unavailable('The signer does not answer in time.'));
      late();
    }, limitMs);
    this.waiting.set(id, { resolve, reject, timer });
    writeFrame(this.stream, frame);
    return promise;
  }

  /** Slow is not dead: a signer is given up only if it has sent nothing at all since the ping. */
  private async probe(): Promise<void> {
    const since = performance.now();
    const giveUp = (): void => {
      if (this.heard < since) this.destroy();
    };
    await this.ask(PING, [], this.limits.pingMs, giveUp).catch(() => undefined);
  }

  private read(chunk: Buffer): void {
    this.heard = performance.now();
    try {
      for (const frame of this.reader.read(chunk)) {
        if (frame === LEAVING) {
          this.leave();
          continue;
        }
        const { id, result, fault } = frame as Answer;
        const asked = this.taken(id);
        if (fault) asked?.reject(errorOf(fault));
        else asked?.resolve(result);
      }
    } catch {
      this.stream.destroy();
    }
  }

  private leave(): void {
    this.isLeaving = true;
    this.close();
    this.endIfDone();
  }

  private taken(id: number): Waiting | undefined {
    const asked = this.waiting.get(id);
    if (asked) clearTimeout(asked.timer);
    this.waiting.delete(id);
    this.endIfDone();
    return asked;
  }

  /** The signer waits for this before it exits. */
  private endIfDone(): void {
    if (this.isLeaving && this.waiting.size === 0) this.destroy();
  }
}
