import { gzipSync } from 'node:zlib';
import type { RawRequest } from './raw-client.js';

export interface TransportMistake {
  name: string;
  statuses: readonly number[];
  request: Pick<RawRequest, 'body' | 'headers'>;
}

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + '1' + close.repeat(depth);

const CONTENT_TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/jsonp', 'application/vnd.api+json', 'application', 'json', '*/*', ' '],
];

const NO_JSON = [
  ...['{', '{"a":', '{"a":1,}', "{'a':1}", '{a:1}', '[1', 'nothing', 'NaN', 'undefined', '{"a":01}', '{"a":1}}'],
  ...['"text"', '1', 'true', 'null', '\u0000', '{"a":"\n"}', '{"a":"\\x"}', '<a/>', '{}{}', '/**/{}'],
];

/** Ways to send a body that are wrong whatever its content. `most` is the maximum size in bytes. */
export function transportMistakes(valid: string, most: number): TransportMistake[] {
  const of = (
    name: string,
    body: string | Buffer | undefined,
    statuses: readonly number[],
    headers = {},
  ): TransportMistake => ({
    name,
    statuses,
    request: { body, headers },
  });
  const tooLong = `{"a":"${'x'.repeat(most + 1 - 8)}"}`;
  return [
    of('no body', undefined, [400]),
    of('an empty body', '', [400]),
    ...CONTENT_TYPES.map((type) => of(`content type ${type}`, valid, [415], { 'content-type': type })),
    of('charset utf-16', Buffer.from(valid, 'utf16le'), [400, 415], {
      'content-type': 'application/json; charset=utf-16le',
    }),
    of('charset latin1', valid, [400, 415], { 'content-type': 'application/json; charset=iso-8859-1' }),
    of('gzip', gzipSync(valid), [415], { 'content-encoding': 'gzip' }),
    of('gzip in name alone', valid, [415], { 'content-encoding': 'gzip' }),
    of('brotli', valid, [415], { 'content-encoding': 'br' }),
    of('an unknown encoding', valid, [415], { 'content-encoding': 'x' }),
    ...NO_JSON.map((text) => of(`the text ${JSON.stringify(text)}`, text, [400])),
    of('bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), [400]),
    of('33 levels of objects', nested(33, '{"a":', '}'), [400]),
    of('33 levels of lists', nested(33, '[', ']'), [400]),
    of('10 000 levels of objects', nested(10_000, '{"a":', '}'), [400]),
    of('10 000 levels of lists', nested(10_000, '[', ']'), [400]),
    of('10 000 levels without end', '['.repeat(10_000), [400]),
    of(`${most + 1} bytes`, tooLong, [413]),
    of(`${most + 1} bytes that are no JSON`, 'x'.repeat(most + 1), [413]),
    of('a list in the body of a list', `[[${valid}]]`, [400]),
    of('a reserved key deep inside', `{"a":[{"b":{"__proto__":{"isAdmin":true}}}]}`, [400]),
    of('an escaped reserved key', '{"\\u005f_proto__":{"isAdmin":true}}', [400]),
  ];
}

const ID = '018f0000-0000-7000-8000-00000000000a';

/** Invalid record ids, as written in a path. */
export const WRONG_IDS: readonly string[] = [
  ...[
    'abc',
    '0',
    '-1',
    '1e3',
    'null',
    'undefined',
    'NaN',
    '*',
    '%20',
    '%00',
    '%0d%0aset-cookie:a=b',
    '%ff',
    '%',
    '%F0%9F%98%80',
  ],
  ...[
    ID.slice(1),
    `${ID}0`,
    `%7B${ID}%7D`,
    `{${ID}}`,
    `urn:uuid:${ID}`,
    ID.replaceAll('-', ''),
    ID.replace('a', 'g'),
    `${ID}%00`,
  ],
  ...[
    `${ID}%0a`,
    `%20${ID}`,
    `${ID};a=b`,
    `${ID},${ID}`,
    "'%20OR%20'1'='1",
    '1;DROP%20TABLE%20users',
    'a'.repeat(4_000),
    '__proto__',
  ],
  ...[
    'constructor',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ID,
    ID.toUpperCase(),
  ],
];
