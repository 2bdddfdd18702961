import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { SentRecordsRegistry, type Forgotten, type SentRecords } from '../../identity/index.js';
import { ErasedPeopleRepository } from './erased-people.repository.js';

/** Removes erased people's data from events and deliveries. */
@Injectable()
export class ErasedPeople implements SentRecords, OnModuleInit {
  constructor(
    private readonly sentRecords: SentRecordsRegistry,
    private readonly rows: ErasedPeopleRepository,
  ) {}

  onModuleInit(): void {
    this.sentRecords.register(this);
  }

  async scrub(environmentId: EnvironmentId, { userIds }: Forgotten): Promise<void> {
    let last = await this.rows.scrub(environmentId, userIds);
    while (last !== null) last = await this.rows.scrub(environmentId, userIds, last);
  }
}
