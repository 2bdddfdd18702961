import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { UnitOfWork, type Transaction } from '../database/index.js';
import type { Actor } from '../organizations/index.js';
import { ClientSettingsService } from './client-settings.service.js';
import { EnvironmentSettingsReader } from './environment-settings-reader.js';
import type { EnvironmentSettings } from './environment-settings.entity.js';
import { settingNotAvailable } from './environment-settings.errors.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import { EnvironmentSecrets } from './secrets/environment-secrets.js';
import { SettingsWriter, type SettingsChange } from './settings-writer.js';
import { changedSections, foreignSections } from './settings/foreign-sections.js';
import { secretSettings, settingsWith } from './settings/settings-change.js';
import { SettingsChecks } from './settings/settings-checks.js';
import type { ProjectSettings } from './settings/settings.types.js';

/** Settings as shown to managers, with their version. */
export interface VersionedSettings {
  id: string;
  version: number;
  settings: ProjectSettings;
  createdAt: Date;
  updatedAt: Date;
}

interface Sender {
  actor: Actor;
  /** From `If-Match`. */
  readVersion?: number | null;
}

/** The settings of an environment, for those who manage it. */
@Injectable()
export class EnvironmentSettingsService {
  constructor(
    private readonly rows: EnvironmentSettingsRepository,
    private readonly writer: SettingsWriter,
    private readonly secrets: EnvironmentSecrets,
    private readonly reader: EnvironmentSettingsReader,
    private readonly client: ClientSettingsService,
    private readonly work: UnitOfWork,
    private readonly checks: SettingsChecks,
  ) {}

  async get(environmentId: EnvironmentId): Promise<VersionedSettings> {
    const row = await this.rows.find(environmentId, {});
    if (!row) throw notFound();
    return this.shown(environmentId, row);
  }

  /** @throws ApiError 400 or 422 for invalid settings, 409 `settings_changed` */
  async update(environmentId: EnvironmentId, sent: unknown, sender: Sender): Promise<VersionedSettings> {
    await this.assertValid(environmentId, sent);
    await this.assertOwn(environmentId, sent);
    const change = await this.prepare(environmentId, sent, sender);
    return this.shown(environmentId, await this.work.run((tx) => this.apply(environmentId, change, tx)));
  }

  /** Seals the secrets of a change before a transaction opens. */
  async prepare(environmentId: EnvironmentId, sent: unknown, { actor, readVersion }: Sender): Promise<SettingsChange> {
    const secrets = secretSettings(sent).map(async ([name, value]) =>
      value === '' ? { name, sealedValue: null } : this.secrets.seal(environmentId, name, value),
    );
    return { part: () => sent, actor, readVersion: readVersion ?? null, secrets: await Promise.all(secrets) };
  }

  /** Applies a change as part of a larger one. @throws ApiError as `update` */
  apply(environmentId: EnvironmentId, change: SettingsChange, tx: Transaction): Promise<EnvironmentSettings> {
    tx.afterCommit(() => {
      this.reader.forget(environmentId);
      this.client.forget(environmentId);
    });
    return this.writer.change(environmentId, change, tx);
  }

  /** Settings that are invalid in themselves are rejected before waiting for the row lock. */
  private async assertValid(environmentId: EnvironmentId, sent: unknown): Promise<void> {
    const { settings, version } = await this.reader.known(environmentId);
    try {
      settingsWith(settings, sent, this.checks);
    } catch (error) {
      // Or invalid against slightly stale settings, e.g. when an address was set on another instance just now.
      const newer = await this.reader.readOther(environmentId, version);
      if (!newer) throw error;
      settingsWith(newer, sent, this.checks);
    }
  }

  /** Sections of other records may be sent back as read; changing them here would do nothing, so it is rejected. */
  private async assertOwn(environmentId: EnvironmentId, sent: unknown): Promise<void> {
    const foreign = foreignSections(sent);
    if (foreign.length === 0) return;
    const shown = await this.client.present(environmentId, await this.reader.read(environmentId));
    const fields = changedSections(foreign, sent, shown);
    if (fields.length > 0) throw settingNotAvailable({ payload: { fields } });
  }

  private async shown(environmentId: EnvironmentId, row: EnvironmentSettings): Promise<VersionedSettings> {
    const { version, createdAt, updatedAt } = row;
    const settings = await this.client.present(environmentId, row.settings);
    return { id: environmentId, version, settings, createdAt, updatedAt };
  }
}
