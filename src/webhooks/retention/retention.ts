import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { firstIdOf } from '../events/event-period.js';

const DAY_MS = 86_400_000;
/** The removal of messages may be ahead of a look at their events by no more. */
const MARGIN_MS = 3_600_000;

/** Everything from before: the time, and an id that none of it reaches. */
export interface Cutoff {
  before: Date;
  beforeId: string;
}

/** How long is kept what was sent and what happened. */
@Injectable()
export class Retention {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Requests and answers, bodies included. */
  deliveries(): Cutoff {
    return this.cutoff(this.config.get('DELIVERY_RETENTION_DAYS'));
  }

  messages(): Cutoff {
    return this.cutoff(this.config.get('MESSAGE_RETENTION_DAYS'));
  }

  /** A message is sent from its event, so that stays at least as long. */
  events(): Cutoff {
    return this.cutoff(Math.max(this.config.get('EVENT_RETENTION_DAYS'), this.config.get('MESSAGE_RETENTION_DAYS')));
  }

  /** Events with greater ids have every message they ever had. */
  oldestComplete(): string {
    const { before } = this.messages();
    return firstIdOf({ from: new Date(before.getTime() + MARGIN_MS), until: null });
  }

  private cutoff(days: number): Cutoff {
    const before = new Date(this.clock.timestamp() - days * DAY_MS);
    return { before, beforeId: firstIdOf({ from: before, until: null }) };
  }
}
