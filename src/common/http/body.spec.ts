import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../errors/index.js';
import { assertPlainJson, jsonBody } from './body.js';

/** A value inside `depth` containers. */
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

describe('a body', () => {
  it.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ a: inner })],
  ])('may nest 32 levels of %s and not 33', (_name, wrap) => {
    expect(() => assertPlainJson(nested(31, wrap))).not.toThrow();
    expect(() => assertPlainJson(nested(32, wrap))).not.toThrow();
    expect(() => assertPlainJson(nested(33, wrap))).toThrow('deeper than 32');
  });

  it('of a million levels is refused without exhausting the stack', () => {
    expect(() => assertPlainJson(nested(1_000_000, (inner) => [inner]))).toThrow(ApiError);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'may not have the key %s, at any depth',
    (key) => {
      expect(() => assertPlainJson(JSON.parse(`{"${key}":1}`))).toThrow('reserved key');
      expect(() => assertPlainJson(JSON.parse(`{"a":[{"b":{"${key}":{}}}]}`))).toThrow('reserved key');
      expect(() => assertPlainJson({ a: key })).not.toThrow();
    },
  );

  it.each([
    ['a NUL', 'a\u0000b'],
    ['a lone high surrogate', '\ud83d'],
    ['a lone low surrogate', '\ude00!'],
  ])('may not hold %s in a value or a key', (_name, text) => {
    expect(() => assertPlainJson(text)).toThrow(ApiError);
    expect(() => assertPlainJson({ a: ['b', text] })).toThrow('NUL');
    expect(() => assertPlainJson({ [text]: 1 })).toThrow(ApiError);
  });

  it('may hold any other text', () => {
    expect(() => assertPlainJson({ 'kéy 😀': '\u0001 😀 \\u0000', empty: '', none: null, no: false })).not.toThrow();
  });
});

interface Answer {
  status: number;
  body: unknown;
}

async function post(
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  method = 'POST',
): Promise<Answer> {
  const app = express();
  app.use(jsonBody());
  app.use((request, response) => void response.json(request.body ?? 'none'));
  app.use(((error: Error & { status?: number }, _request, response, _next) => {
    response.status(error.status ?? 500).json(error instanceof ApiError ? error.code : error.name);
  }) satisfies express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const length = { ...(!isChunked && { 'content-length': String(Buffer.byteLength(body)) }), connection: 'close' };
    const call = send({ host: '127.0.0.1', port, path, method, headers: { ...length, ...headers } });
    call.end(body);
    const [response] = (await once(call, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
  } finally {
    server.close();
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
/** A JSON object of so many bytes. */
const sized = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

describe('the reader of bodies', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('reads JSON of %s', async (method) => {
    expect(await post('/a', JSON_TYPE, '{"a":1}', method)).toEqual({ status: 200, body: { a: 1 } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''])(
    'refuses the content type "%s"',
    async (type) => {
      const headers: Record<string, string> = type ? { 'content-type': type } : {};
      expect(await post('/a', headers, '{"a":1}')).toEqual({ status: 415, body: 'unsupported_media_type' });
    },
  );

  it('asks for no content type where there is no body', async () => {
    expect(await post('/a', {}, '')).toEqual({ status: 200, body: 'none' });
  });

  it('takes a chunked body without a byte for no body, like one of length 0', async () => {
    expect(await post('/a', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, '')).toEqual({
      status: 200,
      body: 'none',
    });
    expect(await post('/a', { ...JSON_TYPE, 'transfer-encoding': 'chunked' }, '{}')).toEqual({ status: 200, body: {} });
  });

  it.each([
    ['a byte of Latin-1', '{"a":"\xe9"}'],
    ['an overlong form', '{"a":"\xc0\xaf"}'],
    ['a surrogate', '{"a":"\xed\xa0\x80"}'],
    ['a cut character', '{"a":"\xe2\x82"}'],
    ['such a key', '{"\xe9":1}'],
  ])('refuses bytes that are not UTF-8: %s', async (_what, latin1) => {
    const answer = { status: 400, body: 'malformed_body' };
    expect(await post('/a', JSON_TYPE, Buffer.from(latin1, 'latin1'))).toEqual(answer);
  });

  it.each(['utf-16le', 'utf-7', 'iso-8859-1', '"utf-16"', 'utf-80'])('refuses the charset %s', async (charset) => {
    const type = `application/json; charset=${charset}`;
    expect(await post('/a', { 'content-type': type }, '{"a":1}')).toEqual({
      status: 415,
      body: 'unsupported_media_type',
    });
  });

  it.each(['charset = utf-7', 'charset =utf-16le', 'charset\t=utf-16le', 'charset= utf-16le', 'charset="ut\\f-7"'])(
    'refuses it however it is written: %s',
    async (parameter) => {
      const type = `application/json; ${parameter}`;
      // Read as UTF-7 it names a key twice; the bytes do not.
      expect(await post('/a', { 'content-type': type }, '{"a":1,"+AGE-":2}')).toEqual({
        status: 415,
        body: 'unsupported_media_type',
      });
    },
  );

  it.each(['utf-8', 'UTF-8', '"utf-8"', ' utf-8', 'utf-8; profile=x'])('reads the charset %s', async (charset) => {
    const type = `application/json;charset=${charset}`;
    expect(await post('/a', { 'content-type': type }, '{"a":1}')).toEqual({ status: 200, body: { a: 1 } });
  });

  it('refuses a compressed body', async () => {
    expect(await post('/a', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}')).toMatchObject({ status: 415 });
  });

  it.each(['{"a":', 'nothing', '"text"', '1'])('refuses %s', async (text) => {
    expect(await post('/a', JSON_TYPE, text)).toMatchObject({ status: 400 });
  });

  it.each([
    ['/a', 100 * 1024],
    ['/users/bulk', 1024 * 1024],
    ['/users/bulk/', 1024 * 1024],
  ])('of %s takes %d bytes and not one more', async (path, limit) => {
    expect(await post(path, JSON_TYPE, sized(limit))).toMatchObject({ status: 200 });
    expect(await post(path, JSON_TYPE, sized(limit + 1))).toMatchObject({ status: 413 });
  });

  it('passes what it read through the checks', async () => {
    expect(await post('/a', JSON_TYPE, '{"__proto__":1}')).toEqual({ status: 400, body: 'malformed_body' });
    expect(await post('/a', JSON_TYPE, '{"a":"\\u0000"}')).toEqual({ status: 400, body: 'malformed_body' });
    expect(await post('/a', JSON_TYPE, '{"a":"\\ud83d"}')).toEqual({ status: 400, body: 'malformed_body' });
    expect(await post('/a', JSON_TYPE, '{"a":1,"a":1}')).toEqual({ status: 400, body: 'malformed_body' });
    expect(await post('/a', JSON_TYPE, '{"a":9007199254740993}')).toEqual({ status: 400, body: 'malformed_body' });
    expect(await post('/a', JSON_TYPE, '{"a":1e400}')).toEqual({ status: 400, body: 'malformed_body' });
  });
});
