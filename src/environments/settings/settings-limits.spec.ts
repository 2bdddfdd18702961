import { describe, expect, it } from '@jest/globals';
import { defaultSettings } from './default-settings.js';
import { withField } from './settings-fields.js';
import type { SettingsSchema } from './settings-projection.js';
import { settingsComponents } from './settings-schema.js';
import { MAX_ITEMS, MAX_TEXT, validateSettings } from './settings-validation.js';

interface Place {
  /** Dotted, with `0` for the item of a list. */
  path: string;
  schema: SettingsSchema;
  /** Settings with a value at this place. */
  put: (value: unknown) => object;
}

const lookUp = (schema: SettingsSchema): SettingsSchema =>
  schema.$ref ? { ...settingsComponents[schema.$ref.split('/').at(-1)!]! } : schema;

/** The least that a schema asks for. */
function sample(given: SettingsSchema): unknown {
  const schema = lookUp(given);
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 7;
  if (type === 'object') {
    const required = (schema.required ?? []).map((name) => [name, sample(schema.properties![name]!)] as const);
    return Object.fromEntries(required);
  }
  return text(schema, Math.max(schema.minLength ?? 1, 1));
}

/** A text of a length that has the form its schema asks for; null when there is none. */
function text({ format, pattern }: SettingsSchema, length: number): string | null {
  if (format === 'uuid') return '018f0000-0000-7000-8000-000000000001'.padEnd(length, '0').slice(0, length);
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (format === 'uri') return `https://a.example/${'x'.repeat(Math.max(0, length - 18))}`;
  if (format === 'email') {
    const rest = length - 66;
    return rest < 4
      ? 'a@example.com'
      : `${'l'.repeat(64)}@${`${'d'.repeat(60)}.`.repeat(4).slice(0, rest - 3)}com`
          .replace(/\.+com$/, 'x.com')
          .slice(0, length);
  }
  if (pattern?.includes(':')) return length < 5 ? 'a:1'.slice(0, length) : `eip:${'1'.repeat(length - 4)}`;
  return 'x'.repeat(length);
}

function* placesOf(given: SettingsSchema, path: string, put: Place['put']): Generator<Place> {
  const schema = lookUp(given);
  yield { path, schema, put };
  const base = sample(schema) as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* placesOf(property, path ? `${path}.${name}` : name, (value) => put({ ...base, [name]: value }));
  }
  if (schema.items) yield* placesOf(schema.items, `${path}.0`, (value) => put([value]));
}

const settings = defaultSettings('live');
const places = Object.entries(settingsComponents['ProjectSettings']!.properties!).flatMap(([name, schema]) => [
  ...placesOf(schema, name, (value) => withField(settings, name, value)),
]);
const isPlainText = ({ schema: { type, enum: values, format, pattern } }: Place): boolean =>
  [type].flat()[0] === 'string' && !values && !format && !pattern;

const faultsAt = ({ path, put }: Place, value: unknown): boolean => {
  const problems = validateSettings(put(value));
  return problems.some((problem) => problem.path === path);
};

describe('every limit of the settings', () => {
  it('is looked at: there are many places', () => {
    expect(places.length).toBeGreaterThan(250);
    expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
  });

  it('of the length of a text holds from one below to one above', () => {
    const tried = places.filter(isPlainText).map((place) => {
      const { minLength = 0, maxLength = MAX_TEXT } = place.schema;
      const taken = [minLength, minLength + 1, maxLength - 1, maxLength];
      const refused = [...(minLength > 0 ? [minLength - 1] : []), maxLength + 1];
      return [
        place.path,
        taken.map((length) => faultsAt(place, 'x'.repeat(length))),
        refused.map((length) => faultsAt(place, 'x'.repeat(length))),
      ] as const;
    });
    expect(tried.length).toBeGreaterThan(80);
    expect(tried.filter(([, taken, refused]) => taken.some(Boolean) || !refused.every(Boolean))).toEqual([]);
  });

  it('of the length of a list holds from one below to one above', () => {
    const lists = places.filter(({ schema }) => schema.type === 'array');
    const wrong = lists.filter((place) => {
      const item = sample(place.schema.items!);
      const of = (length: number) => Array.from({ length }, () => item);
      const taken = [0, 1, MAX_ITEMS - 1, MAX_ITEMS].some((length) => faultsAt(place, of(length)));
      return taken || !faultsAt(place, of(MAX_ITEMS + 1));
    });
    expect(lists.length).toBeGreaterThan(20);
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('of an enumeration takes each of its values and no other', () => {
    const enums = places.filter(({ schema }) => schema.enum);
    const wrong = enums.filter((place) => {
      const values = place.schema.enum!;
      const others = [`${values[0]}x`, values[0]!.slice(1), '', ` ${values[0]}`, null];
      return values.some((value) => faultsAt(place, value)) || !others.every((value) => faultsAt(place, value));
    });
    expect(enums.length).toBeGreaterThan(20);
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('of a type takes no value of another, and null only where it says so', () => {
    const of: Record<string, unknown> = { string: 'x', boolean: true, integer: 1, number: 1.5, object: {}, array: [] };
    const wrong = places.flatMap((place) => {
      const types = [place.schema.type ?? 'string'].flat();
      const isNumber = types.includes('number');
      const others = Object.keys(of).filter((type) => !types.includes(type) && !(isNumber && type === 'integer'));
      const missed = others.filter((type) => !faultsAt(place, of[type]));
      const nullRefused = faultsAt(place, null);
      return [...missed, ...(nullRefused === types.includes('null') ? ['null'] : [])].map(
        (type) => `${place.path}: ${type}`,
      );
    });
    expect(wrong).toEqual([]);
  });

  it('of a format or pattern holds', () => {
    const formed = places.filter(({ schema }) => (schema.format || schema.pattern) && !schema.enum);
    const wrong = formed.filter((place) => {
      const { schema } = place;
      const right = schema.pattern?.includes('\\d?') ? 'gb' : text(schema, schema.minLength ?? 40);
      return faultsAt(place, right) || !faultsAt(place, 'no such form') || !faultsAt(place, '');
    });
    expect(formed.length).toBeGreaterThan(10);
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('of an email address is 255 characters', () => {
    const address = (length: number) =>
      `${'l'.repeat(60)}@${`${'d'.repeat(60)}.`.repeat(4).slice(0, length - 65)}.com`.replace('..', 'd.');
    const email = places.find(({ path }) => path === 'general.supportEmail')!;
    expect([254, 255].map((length) => [address(length).length, faultsAt(email, address(length))])).toEqual([
      [254, false],
      [255, false],
    ]);
    expect(faultsAt(email, address(256))).toBe(true);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', '//a.example', 'HTTPS'])(
    'refuses %s as the address of a picture',
    (url) => {
      const logo = places.find(({ path }) => path === 'general.appLogo')!;
      expect(faultsAt(logo, url)).toBe(true);
    },
  );

  it('of a map is the number of its entries and the length of each and of its name', () => {
    const urls = places.find(({ path }) => path === 'general.supportUrls')!;
    const map = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [`n${at}`, 'https://a.example']));
    expect([MAX_ITEMS - 1, MAX_ITEMS, MAX_ITEMS + 1].map((size) => faultsAt(urls, map(size)))).toEqual([
      false,
      false,
      true,
    ]);
    const named = (length: number) => ({ ['k'.repeat(length)]: 'https://a.example' });
    expect([1, 255, 256].map((length) => faultsAt(urls, named(length)))).toEqual([false, false, true]);
    const entry = { ...urls, path: 'general.supportUrls.chat' };
    expect(faultsAt(entry, { chat: 'x'.repeat(MAX_TEXT) })).toBe(false);
    expect(faultsAt(entry, { chat: 'x'.repeat(MAX_TEXT + 1) })).toBe(true);
  });
});
