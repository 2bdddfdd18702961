import { readFileSync } from 'node:fs';
import { compileFields, secretFields } from './settings-fields.js';
import { compileProjection, type SettingsSchema } from './settings-projection.js';
import type { ProjectSettings } from './settings.types.js';

/**
 * Every schema of the settings object by component name, with references of the form `#/components/schemas/Name`, to
 * be registered in the API document as they are. The root is `ProjectSettings`.
 *
 * The file is read instead of imported: the compiler drops the import attribute that Node demands for JSON modules.
 */
export const settingsComponents = JSON.parse(
  readFileSync(new URL('./settings.schema.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, SettingsSchema>>;

const project = compileProjection(settingsComponents, 'ProjectSettings');

/**
 * Keeps what the schema declares, at every level, and leaves out write-only fields such as the captcha's secret key.
 * Maps and free-form objects are kept whole. The value itself is not changed.
 */
export function projectSettings(value: ProjectSettings): ProjectSettings {
  return project(value) as ProjectSettings;
}

/** What can be changed on its own in the settings. */
export const SETTINGS_FIELDS = compileFields(settingsComponents, 'ProjectSettings');

/** Settings that are sealed, each in a row of its own. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(secretFields(SETTINGS_FIELDS));
