import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { PublishEvents } from './client-events.dto.js';
import { ClientEventsRepository, type ClientEventSum } from './client-events.repository.js';

const MAX_NAME = 255;

/** Counts events reported by pages, by name and day. The visitor is not stored. */
@Injectable()
export class ClientEvents {
  constructor(private readonly counts: ClientEventsRepository) {}

  async publish(environmentId: EnvironmentId, { events }: PublishEvents): Promise<void> {
    const names = events.map(({ event }) => event).filter(({ length }) => length >= 1 && length <= MAX_NAME);
    if (names.length > 0) await this.counts.count(environmentId, names);
  }

  /** Totals over the retained days, by name. */
  sums(environmentId: EnvironmentId): Promise<ClientEventSum[]> {
    return this.counts.sums(environmentId);
  }
}
