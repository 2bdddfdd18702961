import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { idAt } from '../events/event-period.js';
import { LiveEventsRepository, type LiveEvent } from './live-events.repository.js';

/** How late an event may appear: its id is generated before its transaction commits, by some instance's clock. */
const LATE_MS = 60_000;
const BATCH = 100;

/** Yields events committed from some moment on, each once. */
export interface EventFollower {
  /** Events committed since the last call, oldest first, at most a hundred. */
  next(): Promise<LiveEvent[]>;
}

/** Live events, for people at a terminal. Polls, so that nothing waits for it. */
@Injectable()
export class LiveEvents {
  constructor(
    private readonly events: LiveEventsRepository,
    private readonly clock: Clock,
  ) {}

  /** Starts now. */
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
