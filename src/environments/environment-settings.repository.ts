import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { Database, ScopedRepository } from '../database/index.js';
import { EnvironmentSettings } from './environment-settings.entity.js';

@Injectable()
export class EnvironmentSettingsRepository extends ScopedRepository<EnvironmentSettings> {
  constructor(database: Database) {
    super(database, EnvironmentSettings);
  }

  async findSettings(environmentId: EnvironmentId): Promise<EnvironmentSettings['settings'] | null> {
    return (await this.find(environmentId, {}))?.settings ?? null;
  }
}
