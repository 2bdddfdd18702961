import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ToldTraces, type Forgotten, type ToldTrace } from '../../identity/index.js';
import { ErasedPeopleRepository } from './erased-people.repository.js';

/** Removes erased people's data from events and deliveries. */
@Injectable()
export class ErasedPeople implements ToldTrace, OnModuleInit {
  constructor(
    private readonly traces: ToldTraces,
    private readonly rows: ErasedPeopleRepository,
  ) {}

  onModuleInit(): void {
    this.traces.register(this);
  }

  async scrub(environmentId: EnvironmentId, { userIds }: Forgotten): Promise<void> {
    let last = await this.rows.scrub(environmentId, userIds);
    while (last !== null) last = await this.rows.scrub(environmentId, userIds, last);
  }
}
