import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { RecentLookups } from '../common/recent-lookups.js';
import type { Transaction } from '../database/index.js';
import { EnvironmentSettingsRepository, type KnownSettings } from './environment-settings.repository.js';
import type { ProjectSettings } from './settings/settings.types.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/** Environment settings for code that acts on them. Secret settings are in `EnvironmentSecrets`. */
@Injectable()
export class EnvironmentSettingsReader {
  private readonly recent: RecentLookups<EnvironmentId, KnownSettings>;

  constructor(private readonly settings: EnvironmentSettingsRepository) {
    this.recent = new RecentLookups({
      max: MAX_ENVIRONMENTS,
      ttlMs: MAX_AGE_MS,
      find: (environmentId): Promise<KnownSettings | null> => settings.find(environmentId, {}),
    });
  }

  /**
   * At most one second old. The object is shared between callers, who must not change it.
   *
   * @throws notFound
   */
  async get(environmentId: EnvironmentId): Promise<ProjectSettings> {
    return (await this.known(environmentId)).settings;
  }

  /** The same with the version. @throws notFound */
  async known(environmentId: EnvironmentId): Promise<KnownSettings> {
    const known = await this.recent.get(environmentId);
    if (!known) throw notFound();
    return known;
  }

  /** The current settings if their version differs from the given one; null otherwise. */
  async readOther(environmentId: EnvironmentId, version: number): Promise<ProjectSettings | null> {
    const other = await this.settings.findOther(environmentId, version);
    if (other) this.recent.remember(environmentId, other);
    return other?.settings ?? null;
  }

  /**
   * Uncached, for callers that cache what they derive from the settings: with two caches, it could be two seconds old.
   *
   * @throws notFound
   */
  async read(environmentId: EnvironmentId): Promise<ProjectSettings> {
    const row = await this.settings.find(environmentId, {});
    if (!row) throw notFound();
    this.recent.remember(environmentId, row);
    return row.settings;
  }

  /** The current settings, which stay as they are until the transaction ends. @throws notFound */
  async lock(environmentId: EnvironmentId, tx: Transaction): Promise<ProjectSettings> {
    const row = await this.settings.lock(environmentId, {}, tx);
    if (!row) throw notFound();
    return row.settings;
  }

  /** On this instance the next caller reads fresh data; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.recent.forget(environmentId);
  }
}
