import { Injectable, Logger } from '@nestjs/common';
import type { ClaimedMessage } from './claimed-message.js';
import { ClaimsRepository } from './claims.repository.js';

/** Two renewals may be missed before a lease expires. */
const RENEW_MS = 4_000;
/**
 * More than it takes to wait here, open the secrets, send and record the outcome. A holder that takes longer is stuck,
 * even if its process is alive: the lease expires, and another worker takes the message.
 */
const LONGEST_MS = 45_000;

/**
 * The messages this process holds. Leases are short, so that others soon take over from a dead process; a live one
 * renews the few it needs for longer, since most messages are recorded well before. No lease is renewed for ever.
 */
@Injectable()
export class HeldMessages {
  private readonly log = new Logger('Webhooks');
  private readonly since = new Map<ClaimedMessage, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly claims: ClaimsRepository) {}

  take(messages: readonly ClaimedMessage[]): void {
    const now = performance.now();
    for (const message of messages) this.since.set(message, now);
    this.timer ??= setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  release(messages: readonly ClaimedMessage[]): void {
    for (const message of messages) this.since.delete(message);
  }

  /** Milliseconds since it was claimed; infinite if it is not held. */
  age(message: ClaimedMessage): number {
    return performance.now() - (this.since.get(message) ?? -Infinity);
  }

  /** Leases of messages still held are left to expire. */
  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private async renew(): Promise<void> {
    const now = performance.now();
    const [first, last] = [now - LONGEST_MS, now - RENEW_MS / 2];
    const old = [...this.since].flatMap(([message, since]) => (first <= since && since < last ? [message] : []));
    if (this.since.size === 0) this.stop();
    try {
      await this.claims.renew(old);
    } catch (error) {
      this.log.error(`Leases of ${old.length} messages could not be renewed: ${(error as Error).message}`);
    }
  }
}
