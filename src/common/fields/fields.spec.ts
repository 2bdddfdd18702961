import { describe, expect, it } from '@jest/globals';
import type { ArgumentMetadata } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { worked } from '../../../test/support/worked.js';
import { ApiError } from '../errors/index.js';
import { validationPipe } from '../http/validation.pipe.js';
import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  EnumListField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  RefField,
  StringField,
  StringListField,
  UuidField,
  defineEnum,
  type FieldClass,
} from './index.js';

const COLOR = defineEnum('Color', ['red', 'green']);
const UUID = '0197f3a0-0000-7000-8000-00000000000a';
const pipe = validationPipe();

/** What the pipe makes of a body, or the fields it refuses. */
async function check(type: FieldClass, body: unknown): Promise<unknown> {
  try {
    return await pipe.transform(body, { type: 'body', metatype: type as ArgumentMetadata['metatype'] });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    const { fields } = error.details.payload as { fields: { field: string }[] };
    return { refused: [...new Set(fields.map(({ field }) => field))] };
  }
}

class Part {
  @StringField({ max: 3 })
  name!: string;
}

class Limits {
  @StringField({ optional: true, min: 2, max: 4 }) text?: string;
  @StringField({ optional: true, pattern: /^[a-z]+$/ }) word?: string;
  @StringField({ optional: true }) free?: string;
  @StringField({ optional: true, visible: true }) name?: string;
  @UuidField({ optional: true }) uuid?: string;
  @EmailField({ optional: true }) email?: string;
  @EmailField({ optional: true, allowEmpty: true, max: 10 }) clearable?: string;
  @BooleanField({ optional: true }) on?: boolean;
  @IntegerField({ optional: true, min: 1, max: 10 }) count?: number;
  @NumberField({ optional: true, min: 0.5, max: 1.5 }) share?: number;
  @DateField({ optional: true }) at?: Date;
  @EnumField(COLOR, { optional: true }) color?: 'red' | 'green';
  @JsonField({ optional: true, maxBytes: 12 }) json?: Record<string, unknown>;
  @RefField(() => Part, { optional: true }) part?: Part;
  @ListField(() => Part, { optional: true, min: 1, max: 2 }) parts?: Part[];
  @ListField(() => Part, { optional: true }) manyParts?: Part[];
  @StringListField({ optional: true, min: 1, max: 2, minLength: 1, maxLength: 2 }) names?: string[];
  @StringListField({ optional: true, format: 'uuid' }) ids?: string[];
  @EnumListField(COLOR, { optional: true, max: 2 }) colors?: ('red' | 'green')[];
}

const parts = (count: number): object[] => Array.from({ length: count }, () => ({ name: 'a' }));
/** A valid address of 197 to 259 characters. */
const address = (length: number): string =>
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(length - 196)}.io`;

const ACCEPTED: [key: keyof Limits, value: unknown][] = [
  ['text', 'ab'],
  ['text', 'abcd'],
  ['word', 'abc'],
  ['free', ''],
  ['name', ' a '],
  ['name', '\u200f\u0645'],
  ['name', '👩\u200d💻'],
  ['uuid', UUID],
  ['uuid', UUID.toUpperCase()],
  ['email', 'a@example.com'],
  ['clearable', ''],
  ['clearable', 'abcd@ef.gh'],
  ['on', false],
  ['count', 1],
  ['count', 10],
  ['share', 0.5],
  ['share', 1.5],
  ['color', 'green'],
  ['json', { a: 'bcde' }],
  ['json', {}],
  ['part', { name: 'abc' }],
  ['parts', parts(1)],
  ['parts', parts(2)],
  ['manyParts', parts(100)],
  ['manyParts', []],
  ['names', ['a']],
  ['names', ['a', 'bc']],
  ['ids', [UUID]],
  ['colors', ['red', 'red']],
  ['colors', []],
];

const REFUSED: [key: keyof Limits, value: unknown, at?: string][] = [
  ['text', 'a'],
  ['text', 'abcde'],
  ['text', 7],
  ['text', ['ab']],
  ['word', 'a1'],
  ['free', {}],
  ['name', ''],
  ['name', ' \t\n\u00a0\u3000'],
  ['name', '\u200b\u2060\ufeff\u00ad'],
  ['name', '\u3164\u115f\ufe0f'],
  ['name', '\u2800'],
  ['name', '\u202e\u2066'],
  ['name', '\u0001\u007f'],
  ['name', 7],
  ['uuid', UUID.slice(1)],
  ['uuid', `${UUID}0`],
  ['uuid', UUID.replace('a', 'g')],
  ['uuid', UUID.replaceAll('-', '')],
  ['email', 'a@b'],
  ['email', ''],
  ['email', 'no address'],
  ['email', `${'a'.repeat(251)}@b.cd`],
  ['clearable', 'abcde@ef.gh'],
  ['clearable', ' '],
  ['clearable', 'a@b..cd'],
  ['clearable', 'a@.b.cd'],
  ['clearable', 'a@b.cd.'],
  ['on', 'true'],
  ['on', 0],
  ['count', 0],
  ['count', 11],
  ['count', 1.5],
  ['count', '5'],
  ['share', 0.49],
  ['share', 1.51],
  ['share', Number.NaN],
  ['share', Number.POSITIVE_INFINITY],
  ['share', '1'],
  ['at', '2026-01-01'],
  ['at', '2026-01-01T00:00:00'],
  ['at', '2026-13-01T00:00:00Z'],
  ['at', '2026-02-30T00:00:00Z'],
  ['at', '2025-02-29T00:00:00Z'],
  ['at', '0000-01-01T00:00:00Z'],
  ['at', '0001-01-01T00:00:00+02:00'],
  ['at', '9999-12-31T23:59:59-12:00'],
  ['at', 1_767_225_600_000],
  ['color', 'blue'],
  ['color', ['red']],
  ['json', { a: 'bcdefg' }],
  ['json', []],
  ['json', 'text'],
  ['part', { name: 'abcd' }, 'part.name'],
  ['part', {}, 'part.name'],
  ['part', { name: 'a', more: 1 }, 'part.more'],
  ['part', 'a'],
  ['part', parts(1)],
  ['parts', []],
  ['parts', parts(3)],
  ['parts', [{ name: 'a' }, { name: 1 }], 'parts.1.name'],
  ['parts', [{ name: 'a', more: 1 }], 'parts.0.more'],
  ['parts', ['a']],
  ['parts', [null]],
  ['parts', { 0: { name: 'a' } }],
  ['manyParts', parts(101)],
  ['names', []],
  ['names', ['a', 'b', 'c']],
  ['names', ['']],
  ['names', ['abc']],
  ['names', [1]],
  ['names', 'a'],
  ['ids', ['a']],
  ['colors', ['red', 'green', 'red']],
  ['colors', ['blue']],
  ['colors', 'red'],
];

describe('a field', () => {
  it.each(ACCEPTED)('%s accepts %j', async (key, value) => {
    expect(await check(Limits, { [key]: value })).toEqual({ [key]: value });
  });

  it.each(REFUSED)('%s refuses %j', async (key, value, at = key) => {
    const { refused } = (await check(Limits, { [key]: value })) as { refused: string[] };
    expect(refused).toContain(at);
    expect(refused.every((field) => field.startsWith(key))).toBe(true);
  });

  it('of an email address takes 255 characters and not 256', async () => {
    expect(address(255)).toHaveLength(255);
    expect(await check(Limits, { email: address(255) })).toEqual({ email: address(255) });
    expect(await check(Limits, { email: address(256) })).toEqual({ refused: ['email'] });
  });

  it('that is a date takes an offset and becomes a Date', async () => {
    const at = new Date('2026-01-01T00:00:00Z');
    for (const text of ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00.000+02:00', '2026-01-01T00:00Z']) {
      expect(await check(Limits, { at: text })).toEqual({ at });
    }
  });

  it.each(['yesterday', '2026-01-31', '0000-01-01T00:00:00Z', 1_768_000_000])(
    'that is no date is told as sent: %s',
    async (at) => {
      const [{ constraints } = {}] = await validate(plainToInstance(Limits, { at }), { skipMissingProperties: true });
      expect(constraints).toEqual({
        isDate: 'at must be a date-time with offset (2026-01-31T12:00:00Z) in ISO 8601, in the years 1 to 9999',
      });
    },
  );

  it.each([Infinity, Number.NaN, '1'])('that is no number is told so: %s', async (share) => {
    const [{ constraints } = {}] = await validate(plainToInstance(Limits, { share }), { skipMissingProperties: true });
    expect(constraints).toMatchObject({ isNumber: 'share must be a number' });
  });

  it('that nobody declared is refused by name', async () => {
    expect(await check(Limits, { text: 'ab', extra: 1 })).toEqual({ refused: ['extra'] });
  });
});

describe('presence', () => {
  class Presence {
    @StringField() required!: string;
    @StringField({ optional: true }) optional?: string;
    @StringField({ nullable: true }) nullable!: string | null;
    @StringField({ optional: true, nullable: true }) both?: string | null;
  }
  const least = { required: 'a', nullable: null };

  it.each<[name: string, body: object, refused: string[]]>([
    ['the least', least, []],
    ['null where it may be absent or null', { ...least, both: null }, []],
    ['nothing', {}, ['required', 'nullable']],
    ['null for what is required', { ...least, required: null }, ['required']],
    ['null for what may be absent', { ...least, optional: null }, ['optional']],
    ['a wrong value for what may be absent', { ...least, optional: 1 }, ['optional']],
    ['a wrong value for what may be null', { ...least, nullable: 1 }, ['nullable']],
    ['a wrong value for what may be both', { ...least, both: 1 }, ['both']],
  ])('decides on %s', async (_name, body, refused) => {
    expect(await check(Presence, body)).toEqual(refused.length > 0 ? { refused } : body);
  });

  it('leaves absent fields absent', async () => {
    const result = (await check(Presence, least)) as object;
    expect(Object.keys(result).sort()).toEqual(['nullable', 'required']);
    expect(result).toBeInstanceOf(Presence);
  });
});

describe('what is not an object', () => {
  it.each([
    ['a list', [{}]],
    ['text', 'a'],
    ['a number', 1],
    ['null', null],
    ['nothing', undefined],
  ])('is refused: %s', async (_name, body) => {
    class Strict {
      @StringField() name!: string;
    }
    expect(await check(Strict, body)).toHaveProperty('refused');
  });

  it('is no empty object either, where every field is optional', async () => {
    class Lenient {
      @StringField({ optional: true }) name?: string;
    }
    expect(await check(Lenient, undefined)).toEqual({ refused: ['body'] });
    expect(await check(Lenient, {})).toEqual({});
  });
});

describe('a pattern', () => {
  class Host {
    @StringField({ max: 255, pattern: /^(?!-)[a-z0-9-]+([-.][a-z0-9]+)*\.[a-z]{2,15}$/ })
    host!: string;

    @StringField({ optional: true, pattern: /^x*$/ })
    word?: string;
  }

  it('looks at no text beyond the limit, where some take time that grows with the square of the length', async () => {
    const before = worked();
    expect(await check(Host, { host: `${'a-'.repeat(50_000)}!` })).toEqual({ refused: ['host'] });
    expect(worked() - before).toBeLessThan(500);
  });

  it('without a limit ends at 8 192 characters', async () => {
    const of = (length: number) => ({ host: 'a.example', word: 'x'.repeat(length) });
    expect(await check(Host, of(8_192))).not.toHaveProperty('refused');
    expect(await check(Host, of(8_193))).toEqual({ refused: ['word'] });
  });
});
