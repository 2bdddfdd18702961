import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';

/** People of an environment who went. */
export interface Forgotten {
  userIds: readonly string[];
  /** Of the visits of their wallets, which have gone as well, none had a lower id. */
  firstVisitorId: string;
  /** When the last of them went: what was written down after it has none of them. */
  erasedAt: Date;
}

/** Removes what a context has written down of people when it told others of them. */
export interface ToldTrace {
  /** May be called again for the same people, and takes no transaction of its own. */
  scrub(environmentId: EnvironmentId, people: Forgotten): Promise<void>;
}

/** Contexts that tell others register what forgets it. */
@Injectable()
export class ToldTraces {
  private readonly traces: ToldTrace[] = [];

  register(trace: ToldTrace): void {
    this.traces.push(trace);
  }

  async scrub(environmentId: EnvironmentId, people: Forgotten): Promise<void> {
    const failures: unknown[] = [];
    // One that fails, such as for a store that is away, keeps none of the others from forgetting.
    for (const trace of this.traces) {
      await trace.scrub(environmentId, people).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
