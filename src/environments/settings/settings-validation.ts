import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SecurityEvent } from '../../common/security/index.js';
import { durationSeconds, MAX_JWT_TTL_SECONDS, MIN_JWT_TTL_SECONDS } from './jwt-duration.js';
import type { SettingsSchema } from './settings-projection.js';
import { settingsComponents } from './settings-schema.js';
import type { ProjectSettings } from './settings.types.js';

/** `path` is dotted and includes indexes (`sdk.views.0.type`); the empty string is the settings object itself. */
export interface FieldProblem {
  path: string;
  message: string;
  /** The security log event when this problem is returned. */
  security?: SecurityEvent;
}

/** A thoroughly invalid body gets only its first errors, not one per element. */
export const MAX_PROBLEMS = 50;

/** Default limit on characters of a string and entries of a list or map, where the schema sets none. */
export const MAX_TEXT = 2_048;
export const MAX_ITEMS = 100;
/** Limit on characters of a name in a map. */
const MAX_NAME = 255;
const WEB_ADDRESS = '^https?://';

let compiled: ValidateFunction<ProjectSettings> | null = null;

/** Takes an eighth of the start-up time, so it is deferred until the first validation. */
function compileSettings(): ValidateFunction<ProjectSettings> {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv
    .addSchema({ $id: 'settings', components: { schemas: mapValues(settingsComponents, enforced) } })
    .addKeyword('components')
    .compile<ProjectSettings>({ $ref: 'settings#/components/schemas/ProjectSettings' });
}

/** The reasons why a value is not a valid settings object, at most 50; empty when it is one. */
export function validateSettings(value: unknown): FieldProblem[] {
  const isSettings = (compiled ??= compileSettings());
  if (!isSettings(value)) return (isSettings.errors ?? []).slice(0, MAX_PROBLEMS).map(toProblem);
  return validateJwtDuration(value);
}

function validateJwtDuration({ security }: ProjectSettings): FieldProblem[] {
  if (!security.jwtDuration) return [];
  const seconds = durationSeconds(security.jwtDuration);
  if (seconds >= MIN_JWT_TTL_SECONDS && seconds <= MAX_JWT_TTL_SECONDS) return [];
  return [{ path: 'security.jwtDuration', message: 'must be between 5 minutes and 30 days' }];
}

/**
 * The schema as enforced: unknown settings are rejected, like unknown fields in any other request, values without a
 * limit get a default one, and URLs that browsers follow must be web URLs.
 */
function enforced(schema: SettingsSchema): SettingsSchema {
  const { type, properties, items, additionalProperties } = schema;
  const types = [type].flat();
  const isText = types.includes('string') && !schema.enum && schema.maxLength === undefined;
  return {
    ...schema,
    ...(isText && { maxLength: MAX_TEXT }),
    ...(schema.format === 'uri' && { pattern: WEB_ADDRESS }),
    ...(types.includes('array') && { maxItems: MAX_ITEMS }),
    ...(items && { items: enforced(items) }),
    ...(properties && { properties: mapValues(properties, enforced), additionalProperties: false }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: enforced(additionalProperties),
      maxProperties: MAX_ITEMS,
      propertyNames: { maxLength: MAX_NAME },
    }),
  };
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
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
  if (keyword === 'pattern' && params.pattern === WEB_ADDRESS) return 'must begin with https:// or http://';
  const values: unknown = params.allowedValues;
  return Array.isArray(values) ? `must be one of ${values.join(', ')}` : (message ?? 'is not valid');
}

/** RFC 6901 section 4. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
