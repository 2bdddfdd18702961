import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { idAt } from '../events/event-period.js';
import { LiveEventsRepository, type LiveEvent } from './live-events.repository.js';

/** An id is made before its transaction commits, by the clock of some instance: for how long an event may turn up late. */
const LATE_MS = 60_000;
const BATCH = 100;

/** Tells what is committed from a moment on, each event once. */
export interface EventFollower {
  /** What has been committed since the last call, oldest first, at most a hundred events. */
  next(): Promise<LiveEvent[]>;
}

/** Events as they happen, for people at a terminal. It looks again and again: nothing waits for it. */
@Injectable()
export class LiveEvents {
  constructor(
    private readonly events: LiveEventsRepository,
    private readonly clock: Clock,
  ) {}

  /** From now on. */
  async follow(environmentId: EnvironmentId): Promise<EventFollower> {
    const lowest = (): string => idAt(this.clock.now().getTime() - LATE_MS);
    let seen = new Set(await this.events.listIds(environmentId, lowest()));
    return {
      next: async () => {
        const from = lowest();
        const ids = await this.events.listIds(environmentId, from);
        const fresh = ids.filter((id) => !seen.has(id)).slice(0, BATCH);
        const found = fresh.length === 0 ? [] : await this.events.read(environmentId, fresh);
        seen = new Set([...[...seen].filter((id) => id >= from), ...fresh]);
        return found;
      },
    };
  }
}
