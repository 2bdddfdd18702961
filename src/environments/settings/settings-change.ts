import { invalidFields } from '../../common/http/validation.pipe.js';
import type { EgressPolicy } from '../../outbound/index.js';
import { settingNotAvailable, settingsTooLarge } from '../environment-settings.errors.js';
import { ownSections } from './client-settings.js';
import { isRecord, merged, valuesOf, withField, type ChangedField } from './settings-fields.js';
import { mfaProblems } from './mfa-methods.js';
import { repeatedKeyProblems } from './repeated-keys.js';
import { problemsBeyondSchema } from './settings-rules.js';
import { sessionKeyProblems } from './session-key-duration.js';
import { SECRET_SETTINGS, SETTINGS_FIELDS } from './settings-schema.js';
import { MAX_PROBLEMS, validateSettings, type FieldProblem } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';
import { unenforcedProblems } from './unenforced-settings.js';

/** What settings are validated against in addition to their schema. */
export interface SettingsTerms {
  readonly policy: EgressPolicy;
  /** Settings that would have no effect, as reported by contexts above. */
  problemsIn(settings: ProjectSettings): FieldProblem[];
}

const MAX_BYTES = 256 * 1024;

/**
 * The stored settings merged with the request, secrets included. Sections stored in other records are validated like
 * all others, then left out.
 *
 * @throws ApiError 400 that names every invalid field, 422 when it is too much or cannot be met
 */
export function settingsWith(stored: ProjectSettings, sent: unknown, terms: SettingsTerms): ProjectSettings {
  if (!isRecord(sent)) throw invalidFields([{ field: 'body', message: 'body must be an object' }]);
  const wanted = laidOver(stored, sent);
  assertSettings(wanted, terms, stored);
  return ownSections(wanted);
}

/** The merged settings, not yet validated. */
export const laidOver = (stored: ProjectSettings, sent: object): ProjectSettings =>
  merged(SETTINGS_FIELDS, ownSections(stored), sent) as ProjectSettings;

/**
 * @param stored the settings to be replaced: what cannot be met but was stored by an older version does not block other
 *   changes
 * @throws ApiError 400 that names every invalid field, 422 when it is too much or cannot be met
 */
export function assertSettings(settings: ProjectSettings, terms: SettingsTerms, stored?: ProjectSettings): void {
  const invalid = invalidIn(settings, terms);
  if (invalid.length > 0) {
    const fields = invalid.map(({ path, message }) => ({ field: path || 'body', message }));
    throw invalidFields(fields, invalid.find(({ security }) => security)?.security);
  }
  const unmet = newlyUnmet(settings, terms, stored);
  if (unmet.length > 0) {
    const fields = unmet.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({ field: path, message }));
    throw settingNotAvailable({ payload: { fields } });
  }
  if (Buffer.byteLength(JSON.stringify(ownSections(settings))) > MAX_BYTES) throw settingsTooLarge();
}

/** Everything in the settings that `assertSettings` would refuse. */
export const settingsProblems = (
  settings: ProjectSettings,
  terms: SettingsTerms,
  stored: ProjectSettings,
): FieldProblem[] => {
  const invalid = invalidIn(settings, terms);
  return invalid.length > 0 ? invalid : newlyUnmet(settings, terms, stored);
};

function invalidIn(settings: ProjectSettings, { policy }: SettingsTerms): FieldProblem[] {
  const problems = validateSettings(settings);
  return problems.length > 0 ? problems : problemsBeyondSchema(settings, policy);
}

function newlyUnmet(settings: ProjectSettings, terms: SettingsTerms, stored?: ProjectSettings): FieldProblem[] {
  const unmet = unmetIn(settings, terms);
  if (unmet.length === 0 || !stored) return unmet;
  const before = new Set(unmetIn(stored, terms).map(nameOf));
  return unmet.filter((problem) => !before.has(nameOf(problem)));
}

const unmetIn = (settings: ProjectSettings, terms: SettingsTerms): FieldProblem[] => [
  ...mfaProblems(settings.security.mfa),
  ...sessionKeyProblems(settings),
  ...unenforcedProblems(settings),
  ...repeatedKeyProblems(settings),
  ...terms.problemsIn(settings),
];

const nameOf = ({ path, message }: FieldProblem): string => `${path}: ${message}`;

/** The settings without their secrets, which are stored separately. */
export function withoutSecretSettings(settings: ProjectSettings): ProjectSettings {
  const names = [...valuesOf(SETTINGS_FIELDS, settings).keys()].filter((name) => SECRET_SETTINGS.has(name));
  return names.reduce((rest, name) => withField(rest, name, undefined), settings);
}

/** The secrets in the settings, by name. */
export function secretSettings(settings: unknown): [name: string, value: string][] {
  return [...valuesOf(SETTINGS_FIELDS, settings)].filter(
    (entry): entry is [string, string] => SECRET_SETTINGS.has(entry[0]) && typeof entry[1] === 'string',
  );
}

/** One side of a change for the audit record; for a secret, only the fact that it changed. */
export function auditedSide(changes: readonly ChangedField[], side: 'before' | 'after'): object {
  return changes.reduce(
    (shown, change) => withField(shown, change.field, SECRET_SETTINGS.has(change.field) ? side : change[side]),
    {},
  );
}
