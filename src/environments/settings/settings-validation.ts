import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { durationSeconds, MAX_JWT_TTL_SECONDS, MIN_JWT_TTL_SECONDS } from './jwt-duration.js';
import type { SettingsSchema } from './settings-projection.js';
import { settingsComponents } from './settings-schema.js';
import type { ProjectSettings } from './settings.types.js';

/** `path` is dotted with indexes, `sdk.views.0.type`; the empty string is the settings object itself. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** A body that is wrong all over is answered with its first faults, not with one per element. */
const MAX_PROBLEMS = 50;

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const isSettings = ajv
  .addSchema({ $id: 'settings', components: { schemas: closeObjects(settingsComponents) } })
  .addKeyword('components')
  .compile<ProjectSettings>({ $ref: 'settings#/components/schemas/ProjectSettings' });

/** Every way, 50 at most, in which a value is not a settings object; empty when it is one. */
export function validateSettings(value: unknown): FieldProblem[] {
  if (!isSettings(value)) return (isSettings.errors ?? []).slice(0, MAX_PROBLEMS).map(toProblem);
  return validateJwtDuration(value);
}

function validateJwtDuration({ security }: ProjectSettings): FieldProblem[] {
  if (!security.jwtDuration) return [];
  const seconds = durationSeconds(security.jwtDuration);
  if (seconds >= MIN_JWT_TTL_SECONDS && seconds <= MAX_JWT_TTL_SECONDS) return [];
  return [{ path: 'security.jwtDuration', message: 'must be between 5 minutes and 30 days' }];
}

/** A setting that is not known is refused, like an unknown field of any other request. */
function closeObjects(components: typeof settingsComponents): Record<string, SettingsSchema> {
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      schema.properties ? { ...schema, additionalProperties: false } : schema,
    ]),
  );
}

function toProblem({ instancePath, keyword, message, params }: ErrorObject): FieldProblem {
  const unknown: unknown = params.additionalProperty;
  const missing: unknown = params.missingProperty;
  const field = typeof unknown === 'string' ? unknown : typeof missing === 'string' ? missing : undefined;
  const path = [...instancePath.split('/').slice(1).map(unescapePointer), ...(field === undefined ? [] : [field])];
  return { path: path.join('.'), message: describe(keyword, message, params) };
}

function describe(keyword: string, message: string | undefined, params: ErrorObject['params']): string {
  if (keyword === 'additionalProperties') return 'is not a known setting';
  if (keyword === 'required') return 'is required';
  const values: unknown = params.allowedValues;
  return Array.isArray(values) ? `must be one of ${values.join(', ')}` : (message ?? 'is not valid');
}

/** RFC 6901 section 4. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
