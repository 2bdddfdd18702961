import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SecurityEvent } from '../../common/security/index.js';
import { durationSeconds, MAX_JWT_TTL_SECONDS, MIN_JWT_TTL_SECONDS } from './jwt-duration.js';
import type { SettingsSchema } from './settings-projection.js';
import { settingsComponents } from './settings-schema.js';
import type { ProjectSettings } from './settings.types.js';

/** `path` is dotted with indexes, `sdk.views.0.type`; the empty string is the settings object itself. */
export interface FieldProblem {
  path: string;
  message: string;
  /** The line it has in the security log when it is answered. */
  security?: SecurityEvent;
}

/** A body that is wrong all over is answered with its first faults, not with one per element. */
export const MAX_PROBLEMS = 50;

/** Characters of a text and entries of a list or map for which the schema names no limit. */
export const MAX_TEXT = 2_048;
export const MAX_ITEMS = 100;
const WEB_ADDRESS = '^https?://';

let compiled: ValidateFunction<ProjectSettings> | null = null;

/** Takes as long as an eighth of a start, which is why it waits for the first settings to check. */
function compileSettings(): ValidateFunction<ProjectSettings> {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv
    .addSchema({ $id: 'settings', components: { schemas: mapValues(settingsComponents, enforced) } })
    .addKeyword('components')
    .compile<ProjectSettings>({ $ref: 'settings#/components/schemas/ProjectSettings' });
}

/** Every way, 50 at most, in which a value is not a settings object; empty when it is one. */
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
 * The schema as it is enforced: a setting that is not known is refused, like an unknown field of any other request,
 * what has no limit of its own gets one, and addresses that browsers will follow are those of the web.
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
