import type { PoolClient } from 'pg';
import { serviceUnavailable } from '../common/errors/index.js';

const RETRY_AFTER_SECONDS = 2;
const HINT = 'Repeat the call, with the same Idempotency-Key, after the seconds in Retry-After.';

interface Source {
  connect(): Promise<PoolClient>;
  /** The maximum number of connections, and the longest wait for one. */
  readonly bounds: { most: number; waitMs: number };
}

/**
 * Connections held for the whole duration of a call, whatever its handler waits for: at most half of the pool. The
 * other half is for work that returns its connection after a statement or transaction, and for further queries of calls
 * that hold one. When all are held, callers queue for as long as they would for a pool connection.
 */
export class HeldConnections {
  private readonly most: number;
  private readonly waiting = new Set<() => void>();
  private held = 0;

  constructor(private readonly source: Source) {
    this.most = Math.max(1, Math.floor(source.bounds.most / 2));
  }

  /** @throws 503 `service_unavailable` if none is released in time */
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

  /** A released slot is handed to the first waiter, so that nobody who comes later gets it. */
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
