import type { PoolClient } from 'pg';
import { serviceUnavailable } from '../common/errors/index.js';

const RETRY_AFTER_SECONDS = 2;
const HINT = 'Repeat the call, with the same Idempotency-Key, after the seconds in Retry-After.';

interface Source {
  connect(): Promise<PoolClient>;
  /** How many connections there may be, and for how long somebody waits for one. */
  readonly bounds: { most: number; waitMs: number };
}

/**
 * Connections that are held for as long as a call goes on, whatever its handler waits for: half of the pool, at most. The
 * other half is left to those who give theirs back after a statement or a transaction, and to what a call that holds one
 * asks beside it. Whoever comes when all are held waits in turn, as long as for a connection of the pool.
 */
export class HeldConnections {
  private readonly most: number;
  private readonly waiting = new Set<() => void>();
  private held = 0;

  constructor(private readonly source: Source) {
    this.most = Math.max(1, Math.floor(source.bounds.most / 2));
  }

  /** @throws 503 `service_unavailable` when none is given back in time */
  async connect(): Promise<PoolClient> {
    if (this.held < this.most) this.held += 1;
    else await this.turn();
    try {
      return await this.source.connect();
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  release(client: PoolClient, broken: boolean): void {
    client.release(broken);
    this.leave();
  }

  /** The place of somebody who leaves is handed on, so that nobody who comes later is first. */
  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(patience);
        this.waiting.delete(enter);
        resolve();
      };
      const patience = setTimeout(() => {
        this.waiting.delete(enter);
        reject(serviceUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, hint: HINT }));
      }, this.source.bounds.waitMs);
      this.waiting.add(enter);
    });
  }

  private leave(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.held -= 1;
  }
}
