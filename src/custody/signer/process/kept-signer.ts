import { setTimeout as sleep } from 'node:timers/promises';
import type { SignerCalls } from '../../../vault/index.js';
import { unavailable, type SignerLink } from './signer-link.js';

/** How long a call waits for a signer that is restarting. */
const PATIENCE_MS = 5_000;
/** And for the first start: a machine on which several instances start at once is slow, which is not yet a fault. */
const FIRST_PATIENCE_MS = 20_000;
/**
 * Consecutive failed starts after which calls no longer wait for the next one, unless the first was just now: a socket
 * where nobody listens refuses three times within a moment, while a signer that runs on its own is restarted.
 */
const FAILURES_TO_WAIT_FOR = 3;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A signer that ran this long counts as successfully started. */
const SETTLED_MS = 10_000;

/** The next link. Its rejection is handled even if nobody is waiting. */
function awaited(): PromiseWithResolvers<SignerLink> {
  const next = Promise.withResolvers<SignerLink>();
  next.promise.catch(() => undefined);
  return next;
}

/** Keeps a link to a signer open, and opens another whenever it is lost. */
export class KeptSigner implements SignerCalls {
  private link: SignerLink | null = null;
  private appeared = awaited();
  private readonly stopping = new AbortController();
  private kept: Promise<void> | null = null;
  private opened = 0;
  private failures = 0;
  private failingSince = 0;

  /**
   * @param open opens a link; the signal aborts once it is no longer needed
   * @param readsRows whether the signer reads sealed keys itself
   */
  constructor(
    private readonly open: (signal: AbortSignal) => Promise<SignerLink>,
    private readonly complain: (line: string) => void,
    readonly readsRows = false,
  ) {}

  /** Opens the first link; otherwise the first call does. */
  begin(): void {
    this.kept ??= this.keep();
  }

  /** True also before the first start completes: that is not a fault, and calls wait for it. */
  get isUp(): boolean {
    return this.link?.isOpen ?? this.isFirst;
  }

  get restarts(): number {
    return Math.max(0, this.opened - 1);
  }

  async assertReachable(): Promise<void> {
    if (this.link) await this.link.ping();
    else if (!this.isFirst) throw unavailable('No signer runs.');
  }

  async call(operation: string, args: readonly unknown[]): Promise<unknown> {
    this.begin();
    // A link that was just lost stays here until its close event.
    if (this.link && !this.link.isOpen) await this.link.closed;
    const link = this.link ?? (await this.appears());
    return link.call(operation, args);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.giveUpWaiting('No signer runs.');
    this.link?.destroy();
    await this.kept;
  }

  private get isFirst(): boolean {
    return this.opened === 0 && this.failures === 0;
  }

  private get isGivenUp(): boolean {
    return this.failures >= FAILURES_TO_WAIT_FOR && performance.now() - this.failingSince >= PATIENCE_MS;
  }

  private async appears(): Promise<SignerLink> {
    if (this.isGivenUp || this.stopping.signal.aborted) throw unavailable('No signer runs.');
    const { promise: late, reject } = Promise.withResolvers<never>();
    const patienceMs = this.isFirst ? FIRST_PATIENCE_MS : PATIENCE_MS;
    const timer = setTimeout(() => reject(unavailable('No signer was started in time.')), patienceMs);
    try {
      return await Promise.race([this.appeared.promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const since = performance.now();
      const failure = await this.live().then(
        () => null,
        (error: Error) => error,
      );
      if (signal.aborted) return;
      if (failure) this.complain(`The signer did not start: ${failure.message}`);
      const now = performance.now();
      this.failures = now - since > SETTLED_MS ? 1 : this.failures + 1;
      if (this.failures === 1) this.failingSince = now;
      if (this.isGivenUp) this.giveUpWaiting('No signer starts.');
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.failures - 1), LONGEST_PAUSE_MS);
      await sleep(pauseMs, null, { signal }).catch(() => undefined);
    }
  }

  /** Rejects waiting calls now: after repeated failed starts a few seconds will not help, and a stop is final. */
  private giveUpWaiting(cause: string): void {
    this.appeared.reject(unavailable(cause));
    this.appeared = awaited();
  }

  /** Runs from the opening of a link to its end. */
  private async live(): Promise<void> {
    const link = await this.open(this.stopping.signal);
    if (this.stopping.signal.aborted) return link.destroy();
    this.link = link;
    this.opened++;
    this.appeared.resolve(link);
    await link.closed;
    this.link = null;
    this.appeared = awaited();
    if (!this.stopping.signal.aborted) this.complain('The signer has stopped. A new one is being started.');
  }
}
