import { readFileSync } from 'node:fs';
import { compileFields, secretFields } from './settings-fields.js';
import { compileProjection, type SettingsSchema } from './settings-projection.js';
import type { ProjectSettings } from './settings.types.js';

/**
 * All settings schemas by component name, with references of the form `#/components/schemas/Name`, ready to register in
 * the API document. The root is `ProjectSettings`.
 *
 * Read as a file: the compiler drops the import attribute that Node requires for JSON modules.
 */
export const settingsComponents = JSON.parse(
  readFileSync(new URL('./settings.schema.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, SettingsSchema>>;

const project = compileProjection(settingsComponents, 'ProjectSettings');

/**
 * Keeps what the schema declares, at every level, and drops write-only fields such as the captcha's secret key. Maps
 * and free-form objects are kept whole. Does not mutate the value.
 */
export function projectSettings(value: ProjectSettings): ProjectSettings {
  return project(value) as ProjectSettings;
}

/** The independently changeable values in the settings. */
export const SETTINGS_FIELDS = compileFields(settingsComponents, 'ProjectSettings');

/** Settings that are sealed, each in its own row. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(secretFields(SETTINGS_FIELDS));
