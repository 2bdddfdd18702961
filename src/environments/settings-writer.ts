import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import type { Transaction } from '../database/index.js';
import { ChangeLog, type Actor } from '../organizations/index.js';
import { settingNotAvailable, settingsChanged } from './environment-settings.errors.js';
import { SETTINGS_UPDATED } from './environment-settings.events.js';
import type { EnvironmentSettings } from './environment-settings.entity.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import { EnvironmentSecrets, type SealedSecret } from './secrets/environment-secrets.js';
import { asksVendor, needsAnotherSecret } from './settings/captcha-vendors.js';
import {
  assertSettings,
  laidOver,
  settingsProblems,
  settingsWith,
  auditedSide,
  withoutSecretSettings,
} from './settings/settings-change.js';
import { SettingsChecks } from './settings/settings-checks.js';
import { changedFields, valuesOf, withField, type ChangedField } from './settings/settings-fields.js';
import { SECRET_SETTINGS, SETTINGS_FIELDS } from './settings/settings-schema.js';
import type { FieldProblem } from './settings/settings-validation.js';
import type { ProjectSettings } from './settings/settings.types.js';
import { reconcile } from './settings/versions/concurrent-change.js';
import { SettingsVersionsRepository } from './settings/versions/settings-versions.repository.js';

export interface SettingsChange {
  /** Fields to remove first, by dotted name. */
  removed?: readonly string[];
  /** The partial settings to merge into the stored ones. */
  part: (stored: ProjectSettings) => unknown;
  /** The version that the sender had read; null to skip the check. */
  readVersion: number | null;
  /** The secrets in the request; those sent empty are removed. */
  secrets: readonly (SealedSecret | { name: string; sealedValue: null })[];
  actor: Actor;
}

const CAPTCHA = 'security.captcha';
/** Bound to its site key: changing that requires a new secret, except where a vendor has one for all site keys. */
const CAPTCHA_SECRET = `${CAPTCHA}.secretKey`;
const NO_CAPTCHA_SECRET =
  'is missing: the vendor of the site key checks nothing without its secret, sent with the site key or stored before';

/** The only writer of settings. Changes to an environment are serialised by a row lock, so none is lost. */
@Injectable()
export class SettingsWriter {
  constructor(
    private readonly rows: EnvironmentSettingsRepository,
    private readonly versions: SettingsVersionsRepository,
    private readonly secrets: EnvironmentSecrets,
    private readonly changes: ChangeLog,
    private readonly checks: SettingsChecks,
  ) {}

  /** @throws ApiError 400 or 422 for invalid settings, 409 `settings_changed` */
  async change(environmentId: EnvironmentId, change: SettingsChange, tx: Transaction): Promise<EnvironmentSettings> {
    const row = await this.rows.lock(environmentId, {}, tx);
    if (!row) throw notFound();
    const kept = keptBy(change, row);
    const wanted = settingsWith(kept, change.part(row.settings), this.checks);
    const settings = await this.reconciled(environmentId, row, wanted, change.readVersion, tx);
    const changed = changedFields(SETTINGS_FIELDS, row.settings, settings);
    if (changed.length === 0) return row;
    await this.assertNeeds(environmentId, row.settings, settings, tx);
    const after = await this.write(environmentId, row, settings, changed, tx);
    if (needsAnotherSecret(row.settings.security.captcha, settings.security.captcha)) {
      await this.secrets.remove(environmentId, CAPTCHA_SECRET, tx);
    }
    for (const secret of change.secrets) {
      if (secret.sealedValue) await this.secrets.put(environmentId, secret, tx);
      else await this.secrets.remove(environmentId, secret.name, tx);
    }
    await this.assertCaptchaSecret(environmentId, settings, changed, tx);
    await this.changes.record(
      {
        scope: { environmentId },
        actor: change.actor,
        event: SETTINGS_UPDATED,
        resource: { type: 'environmentSettings', id: environmentId },
        before: auditedSide(changed, 'before'),
        after: auditedSide(changed, 'after'),
        data: { environmentId, version: after.version, fields: changed.map(({ field }) => field) },
      },
      tx,
    );
    return after;
  }

  /** What `change` would refuse about a change without secrets, setting by setting. Read-only. */
  async problemsOf(
    environmentId: EnvironmentId,
    change: Pick<SettingsChange, 'removed'> & { part: object },
    tx: Transaction,
  ): Promise<FieldProblem[]> {
    const row = await this.rows.lock(environmentId, {}, tx);
    if (!row) throw notFound();
    const kept = keptBy(change, row);
    const wanted = laidOver(kept, change.part);
    const problems = settingsProblems(wanted, this.checks, kept);
    problems.push(...(await this.checks.unmetNeeds(environmentId, row.settings, wanted, tx)));
    const [before, after] = [row.settings.security.captcha, wanted.security.captcha];
    const isChanged = changedFields(SETTINGS_FIELDS, row.settings, wanted).some(({ field }) =>
      field.startsWith(CAPTCHA),
    );
    if (!isChanged || !asksVendor(after)) return problems;
    const has = !needsAnotherSecret(before, after) && (await this.secrets.has(environmentId, CAPTCHA_SECRET, tx));
    return has ? problems : [...problems, { path: CAPTCHA_SECRET, message: NO_CAPTCHA_SECRET }];
  }

  private async assertNeeds(
    environmentId: EnvironmentId,
    stored: ProjectSettings,
    settings: ProjectSettings,
    tx: Transaction,
  ): Promise<void> {
    const unmet = await this.checks.unmetNeeds(environmentId, stored, settings, tx);
    if (unmet.length === 0) return;
    throw settingNotAvailable({
      payload: { fields: unmet.map(({ path, message }) => ({ field: path, message })) },
    });
  }

  /** Captcha settings that an older version stored without a secret do not block other changes. */
  private async assertCaptchaSecret(
    environmentId: EnvironmentId,
    { security }: ProjectSettings,
    changed: readonly ChangedField[],
    tx: Transaction,
  ): Promise<void> {
    if (!asksVendor(security.captcha) || !changed.some(({ field }) => field.startsWith(CAPTCHA))) return;
    if (await this.secrets.has(environmentId, CAPTCHA_SECRET, tx)) return;
    throw settingNotAvailable({ payload: { fields: [{ field: CAPTCHA_SECRET, message: NO_CAPTCHA_SECRET }] } });
  }

  private async write(
    environmentId: EnvironmentId,
    row: EnvironmentSettings,
    settings: ProjectSettings,
    changed: readonly ChangedField[],
    tx: Transaction,
  ): Promise<EnvironmentSettings> {
    const version = row.version + 1;
    const [after] = await this.rows.update(
      environmentId,
      {},
      { settings: withoutSecretSettings(settings), version },
      tx,
    );
    const replaced = changed.map(({ field, before }) => ({ field, ...(before !== undefined && { before }) }));
    await this.versions.add(environmentId, version, replaced, tx);
    return after!;
  }

  /** The sender's changes merged with those made since the version it had read. */
  private async reconciled(
    environmentId: EnvironmentId,
    row: EnvironmentSettings,
    wanted: ProjectSettings,
    readVersion: number | null,
    tx: Transaction,
  ): Promise<ProjectSettings> {
    if (readVersion === null || readVersion === row.version) return wanted;
    const since = await this.versions.since(environmentId, readVersion, tx);
    const changed = changedFields(SETTINGS_FIELDS, row.settings, wanted);
    const isKnown = readVersion < row.version && since.length === row.version - readVersion;
    const { untouched, conflicting } = isKnown
      ? reconcile(
          changed,
          since.map(({ replaced }) => replaced),
          SECRET_SETTINGS,
        )
      : { untouched: [], conflicting: changed.map(({ field }) => field) };
    if (conflicting.length > 0) {
      const fields = conflicting.map((field) => ({ field, message: 'was changed by somebody else' }));
      throw settingsChanged({ payload: { fields, version: row.version } });
    }
    if (untouched.length === 0) return wanted;
    const stored = valuesOf(SETTINGS_FIELDS, row.settings);
    const settings = untouched.reduce((rest, field) => withField(rest, field, stored.get(field)), wanted);
    assertSettings(settings, this.checks, row.settings);
    return settings;
  }
}

const keptBy = (
  { removed = [] }: Pick<SettingsChange, 'removed'>,
  { settings }: EnvironmentSettings,
): ProjectSettings => removed.reduce((rest, field) => withField(rest, field, undefined), settings);
