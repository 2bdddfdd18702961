import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';

/** Removes what a context has written down of people when it told others of them. */
export interface ToldTrace {
  /** May be called again for the same people, and takes no transaction of its own. */
  scrub(environmentId: EnvironmentId, userIds: readonly string[]): Promise<void>;
}

/** Contexts that tell others register what forgets it. */
@Injectable()
export class ToldTraces {
  private readonly traces: ToldTrace[] = [];

  register(trace: ToldTrace): void {
    this.traces.push(trace);
  }

  async scrub(environmentId: EnvironmentId, userIds: readonly string[]): Promise<void> {
    for (const trace of this.traces) await trace.scrub(environmentId, userIds);
  }
}
