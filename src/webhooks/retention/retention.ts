import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { firstIdOf } from '../events/event-period.js';

const DAY_MS = 86_400_000;
/** How far message removal may run ahead of an event lookup. */
const MARGIN_MS = 3_600_000;

/** Everything older: the time, and an id that is above all of it. */
export interface Cutoff {
  before: Date;
  beforeId: string;
}

/** How long deliveries, messages and events are kept. */
@Injectable()
export class Retention {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  /** Requests and responses, including bodies. */
  deliveries(): Promise<Cutoff> {
    return this.cutoff(this.config.get('DELIVERY_RETENTION_DAYS'));
  }

  messages(): Promise<Cutoff> {
    return this.cutoff(this.config.get('MESSAGE_RETENTION_DAYS'));
  }

  /** Messages are sent from their events, so events are kept at least as long. */
  events(): Promise<Cutoff> {
    return this.cutoff(Math.max(this.config.get('EVENT_RETENTION_DAYS'), this.config.get('MESSAGE_RETENTION_DAYS')));
  }

  /** Events with greater ids still have all of their messages. */
  async oldestComplete(): Promise<string> {
    const { before } = await this.messages();
    return firstIdOf({ from: new Date(before.getTime() + MARGIN_MS), until: null });
  }

  private async cutoff(days: number): Promise<Cutoff> {
    const before = new Date((await this.database.now()).getTime() - days * DAY_MS);
    return { before, beforeId: firstIdOf({ from: before, until: null }) };
  }
}
