import type { Shape } from './schemas.js';

/** The expected response; by default the document decides. `any` is any response except an internal error. */
export type Expectation = 'refused' | 'any';

export interface Candidate {
  name: string;
  value: unknown;
  expectation?: Expectation;
}

const OF_EACH_TYPE: readonly [string, unknown][] = [
  ['a text', 'text'],
  ['an integer', 7],
  ['a fraction', 1.5],
  ['true', true],
  ['an object', {}],
  ['an object with a field', { a: 1 }],
  ['a list', []],
  ['a list of a text', ['x']],
  ['null', null],
];

const REFUSED_TEXTS: readonly [string, string][] = [
  ['a NUL', 'a\u0000b'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00a'],
];

const STRANGE_TEXTS = [
  ...[
    '',
    ' ',
    '\u202eabc',
    '😀',
    'é',
    'e\u0301',
    '\r\nSet-Cookie: a=b',
    '\u0001',
    '\ufeff',
    '<script>alert(1)</script>',
  ],
  ...[
    "' OR '1'='1",
    '1; DROP TABLE users; --',
    '{{7*7}}',
    '${7*7}',
    '%s%n',
    '../../etc/passwd',
    '=1+1',
    '\\',
    '[object Object]',
  ],
  ...[
    '!',
    'a b',
    'ABC',
    'eip155:1',
    'So11111111111111111111111111111111111111112',
    'ab',
    '12345',
    '123456',
    '1234567',
    '123456\n',
    'null',
    'undefined',
    '-0',
    'GB\n',
    'a@b',
    '@',
    'a@',
    '@b.c',
    'https://strange.example.com',
    'strange://callback',
    'strange.example.com',
    '2026-01-31',
  ],
];

const UUID = '018f0000-0000-7000-8000-00000000000a';
const UUIDS: readonly [string, Expectation | undefined][] = [
  [UUID.slice(1), 'refused'],
  [`${UUID}0`, 'refused'],
  [`{${UUID}}`, 'refused'],
  [`urn:uuid:${UUID}`, 'refused'],
  [UUID.replaceAll('-', ''), 'refused'],
  [UUID.replace('a', 'g'), 'refused'],
  [`${UUID.slice(0, -1)}\n`, 'refused'],
  [UUID.toUpperCase(), undefined],
  ['00000000-0000-0000-0000-000000000000', 'any'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'any'],
];

/** The longest address that its parts allow (RFC 5321 §4.5.3.1): 64 characters, then labels of at most 63. */
const longEmail = (length: number): string => {
  const labels = `${'d'.repeat(60)}.`.repeat(4);
  return `${'l'.repeat(64)}@${labels.slice(0, Math.max(1, length - 69))}a.com`.slice(-length);
};
const EMAILS: readonly [string, Expectation | undefined][] = [
  ...['plain', 'a@', '@example.com', 'a@@example.com', 'a b@example.com', 'a@example.com\n', 'a@example..com'].map(
    (text) => [text, 'refused'] as [string, Expectation],
  ),
  ['ann+tag@example.com', undefined],
  ['"quoted"@example.com', 'any'],
  ['ann@[127.0.0.1]', 'any'],
  ['ann@localhost', 'any'],
  ['ann@exämple.com', 'any'],
  ['ánn@example.com', 'any'],
];

/** RFC 3986 allows more schemes than a field does. */
const URIS: readonly [string, Expectation | undefined][] = [
  ['no address', 'refused'],
  ['/only/a/path', 'refused'],

  ['https://shop.example.com/names', undefined],
  ['javascript:alert(1)', 'any'],
];

const DATES: readonly [string, Expectation | undefined][] = [
  ['yesterday', 'refused'],
  ['', 'refused'],
  ['2026-13-01T00:00:00Z', 'refused'],
  ['2026-02-30T00:00:00Z', 'refused'],
  ['1768000000', 'refused'],
  ['2026-01-01T00:00:00Z', undefined],
  ['2026-01-01T00:00:00.123+02:00', undefined],
  ['2026-01-01', 'any'],
  ['0000-01-01T00:00:00Z', 'any'],
  ['9999-12-31T23:59:59Z', undefined],
  ['2016-12-31T23:59:60Z', 'any'],
];

const around = (limit: number | undefined): number[] =>
  limit === undefined ? [] : [limit - 1, limit, limit + 1].filter((size) => size >= 0);

const named = (list: readonly (readonly [string, Expectation | undefined])[]): Candidate[] =>
  list.map(([value, expectation]) => ({ name: JSON.stringify(value), value, expectation }));

/** With four bytes each, the body is still below the size limit. */
const MOST_CHARACTERS = 20_000;

/**
 * In a body with many texts, each is tried with a third of the unusual ones, different from its neighbours'. One with a
 * pattern is tried with all.
 */
const strangeTexts = ({ pattern }: Shape, share: number | undefined): string[] =>
  share === undefined || pattern !== undefined
    ? STRANGE_TEXTS
    : STRANGE_TEXTS.filter((text, index) => text === '' || (index + share) % SHARES === 0);
const SHARES = 3;

function texts(shape: Shape, share: number | undefined): Candidate[] {
  const { format, minLength, maxLength, enum: allowed } = shape;
  const farOver = maxLength ? [Math.min(maxLength * 10, MOST_CHARACTERS)] : [];
  const lengths = [...new Set([...around(minLength), ...around(maxLength), ...farOver])];
  const fillers = format ? [] : ['A', '1', '😀'];
  const first = String(allowed?.[0] ?? '');
  return [
    ...lengths.flatMap((length) =>
      fillers.map((filler) => ({ name: `${length} times ${filler}`, value: filler.repeat(length) })),
    ),
    ...REFUSED_TEXTS.map(([name, value]) => ({ name, value, expectation: 'refused' as const })),
    ...strangeTexts(shape, share).map((value) => ({
      name: JSON.stringify(value),
      value,
      ...(format && value !== '' && { expectation: 'any' as const }),
    })),
    ...(allowed ? [...allowed, `${first}x`, first.slice(1), flip(first), ` ${first}`, `${first}\u0000`] : []).map(
      (value) => ({
        name: JSON.stringify(value),
        value,
      }),
    ),
    ...(format === 'uuid' ? named(UUIDS) : []),
    ...(format === 'email' ? named(EMAILS) : []),
    ...(format === 'email'
      ? around(maxLength).map((length) => ({
          name: `an address of ${length}`,
          value: longEmail(length),
          ...(length <= maxLength! && { expectation: 'any' as const }),
        }))
      : []),
    ...(format === 'date-time' ? named(DATES) : []),
    ...(format === 'uri' ? named(URIS) : []),
  ];
}

/** The same letters in the opposite case. */
const flip = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

function numbers({ minimum, maximum }: Shape): Candidate[] {
  const limits = [minimum, maximum].flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]));
  return [
    ...limits.map((value) => ({ name: String(value), value })),
    ...[0, -1, 1.5, 1e308, 5e-324, 2 ** 53 + 2, -(2 ** 63)].map((value) => ({
      name: String(value),
      value,
      expectation: 'any' as const,
    })),
    { name: '"1"', value: '1' },
  ];
}

function lists({ minItems, maxItems, types }: Shape, sample: unknown): Candidate[] {
  if (!types.includes('array')) return [];
  const sizes = [...new Set([0, 1, 2, ...around(minItems), ...around(maxItems)])];
  return [
    ...sizes.map((size) => ({ name: `${size} items`, value: Array.from({ length: size }, () => sample) })),
    // The size of a body is limited, whatever the number of items.
    {
      name: '1000 items',
      value: Array.from({ length: 1000 }, () => sample),
      expectation: maxItems ? undefined : 'any',
    },
    { name: 'a list with a hole', value: [sample, null] },
    { name: 'a list of lists', value: [[sample]] },
  ];
}

/** Values to try for a schema; `share` selects a part of the unusual texts, all by default. */
export function candidatesFor(shape: Shape, sample: unknown, share?: number): Candidate[] {
  const { types } = shape;
  return [
    ...OF_EACH_TYPE.map(([name, value]) => ({ name, value })),
    ...(types.includes('string') ? texts(shape, share) : []),
    ...(types.includes('integer') || types.includes('number') ? numbers(shape) : []),
    ...lists(shape, sample),
    ...(types.includes('boolean')
      ? ['true', 'false', 0, 1, ''].map((value) => ({ name: JSON.stringify(value), value }))
      : []),
    ...(types.includes('boolean') ? [true, false].map((value) => ({ name: String(value), value })) : []),
  ];
}
