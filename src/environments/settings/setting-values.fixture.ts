import type { SettingsSchema } from './settings-projection.js';
import { settingsComponents } from './settings-schema.js';

/** A valid value of a setting that differs from its default. */
export const someSetting = (name: string): unknown => someValue(schemaOf(name));

function schemaOf(name: string): SettingsSchema {
  return name
    .split('.')
    .reduce((schema, part) => resolved(schema).properties![part]!, settingsComponents['ProjectSettings']!);
}

function someValue(schema: SettingsSchema): unknown {
  const { type, items, properties, enum: values } = resolved(schema);
  if (values) return values.at(-1);
  if (type === 'boolean') return true;
  if (type === 'array') return [someValue(items!)];
  return properties ? Object.fromEntries(Object.entries(properties).map(([k, v]) => [k, someValue(v)])) : 'something';
}

const resolved = (schema: SettingsSchema): SettingsSchema & { enum?: unknown[]; type?: unknown } =>
  schema.$ref ? settingsComponents[schema.$ref.split('/').at(-1)!]! : schema;
