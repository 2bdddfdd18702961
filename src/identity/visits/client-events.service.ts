import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { PublishEvents } from './client-events.dto.js';
import { ClientEventsRepository } from './client-events.repository.js';

/** Counts what pages say has happened, by name and day. Who it happened to is not kept. */
@Injectable()
export class ClientEvents {
  constructor(private readonly counts: ClientEventsRepository) {}

  async publish(environmentId: EnvironmentId, { events }: PublishEvents): Promise<void> {
    const names = events.map(({ event }) => event);
    await this.counts.count(environmentId, names);
  }
}
