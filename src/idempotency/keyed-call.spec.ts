import { describe, expect, it } from '@jest/globals';
import { mintEnvironmentId } from '../auth/index.js';
import { isUuid } from '../common/ids.js';
import { keyedCall, parseKey, type KeyHolder } from './keyed-call.js';

const environmentId = mintEnvironmentId('0198a5f0-0000-7000-8000-000000000001');
const holder: KeyHolder = { caller: 'token a', operation: 'createUser', organizationId: null };
const request = { params: { environmentId }, query: {}, body: { email: 'a@example.com' } };

describe('the Idempotency-Key header', () => {
  it('is taken bare and as a structured string, and is one key in both forms', () => {
    expect(parseKey('8e03978e-40d5')).toBe('8e03978e-40d5');
    expect(parseKey('"8e03978e-40d5"')).toBe('8e03978e-40d5');
    expect(parseKey('x'.repeat(255))).toHaveLength(255);
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['quotes around nothing', '""'],
    ['half a quote', '"abc'],
    ['too long', 'x'.repeat(256)],
    ['sent twice', 'a, b'],
    ['a space', 'a b'],
    ['a backslash', 'a\\b'],
    ['a control character', 'a\u0001'],
    ['not ASCII', 'schlüssel'],
  ])('is refused when it is %s', (_, header) => {
    expect(() => parseKey(header)).toThrow('Idempotency-Key');
  });
});

describe('a call with a key', () => {
  const call = keyedCall(environmentId, holder, 'k', request);

  it('is the same call whenever it is made', () => {
    expect(keyedCall(environmentId, { ...holder }, 'k', { ...request, body: { ...request.body } })).toEqual(call);
    expect(isUuid(call.id)).toBe(true);
  });

  it.each<[string, Partial<KeyHolder>, string]>([
    ['another caller', { caller: 'token b' }, 'k'],
    ['another operation', { operation: 'createWebhook' }, 'k'],
    ['another organization', { organizationId: '0198a5f0-0000-7000-8000-000000000002' }, 'k'],
    ['another key', {}, 'l'],
    ['what only looks the same when it is joined', { caller: 'token a","createUser' }, 'k'],
  ])('is another one with %s', (_, other, key) => {
    expect(keyedCall(environmentId, { ...holder, ...other }, key, request).id).not.toBe(call.id);
  });

  it.each([
    ['path', { params: { environmentId: 'other' } }],
    ['query', { query: { upsert: 'true' } }],
    ['body', { body: { email: 'b@example.com' } }],
  ])('is another request with another %s', (_, part) => {
    const other = keyedCall(environmentId, holder, 'k', { ...request, ...part });
    expect(other.id).toBe(call.id);
    expect(other.requestHash.equals(call.requestHash)).toBe(false);
  });
});
