import { Injectable, Logger } from '@nestjs/common';
import type { ClaimedMessage } from './claimed-message.js';
import { ClaimsRepository } from './claims.repository.js';

/** Two of them may be missed before a lease ends. */
const RENEW_MS = 4_000;
/**
 * Longer than a message waits here, its secrets are opened, it is sent and what came of it is written. Whoever still has it
 * then is stuck, however alive the process: the lease ends, and another worker takes the message.
 */
const LONGEST_MS = 45_000;

/**
 * The messages this process holds. A lease is short, so that others soon take over from a process that died; one that
 * lives renews those it needs for longer, which are few: most messages are recorded long before. None is renewed for ever.
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

  /** How long ago it was claimed, in milliseconds; long ago for one that is not held. */
  age(message: ClaimedMessage): number {
    return performance.now() - (this.since.get(message) ?? -Infinity);
  }

  /** What is held now keeps its lease as it is. */
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
