import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Clock } from '../common/clock.js';
import type { OutboundHttp, OutboundRequest } from '../outbound/index.js';
import { IdTokens } from './id-tokens.js';
import type { IdTokenTerms } from './id-token.js';
import { KeySets } from './key-sets.js';

const NOW = 1_800_000_000;
const JWKS = 'https://issuer.example/keys';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 });

const TERMS: IdTokenTerms = {
  issuer: 'https://issuer.example',
  clientId: 'client',
  nonce: 'n-0S6',
  algorithms: ['RS256'],
  jwksUri: JWKS,
};
const CLAIMS = { iss: TERMS.issuer, aud: 'client', sub: 'u1', nonce: 'n-0S6', iat: NOW - 1, exp: NOW + 300 };

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
function token(claims: object, header: object = {}, key: KeyObject = rsa.privateKey): string {
  const signed = `${part({ alg: 'RS256', kid: 'a', ...header })}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
const without = (name: string): object => Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));
const valid = token(CLAIMS);
const [head = '', body = '', tail = ''] = valid.split('.');
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
/** Its last letter says four bits that belong to no byte of a signature by RSA. */
const respelled = (text: string): string =>
  text.slice(0, -1) + ({ A: 'B', Q: 'R', g: 'h', w: 'x' } as Record<string, string>)[text.at(-1)!];
const hmac = (): string => {
  const signed = `${part({ alg: 'HS256', kid: 'a' })}.${body}`;
  return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
};

const MUTATED: [what: string, token: string][] = [
  ['another issuer', token({ ...CLAIMS, iss: 'https://evil.example' })],
  ['the issuer with a slash', token({ ...CLAIMS, iss: `${TERMS.issuer}/` })],
  ['the issuer in capitals', token({ ...CLAIMS, iss: TERMS.issuer.toUpperCase() })],
  ['no issuer', token(without('iss'))],
  ['another audience', token({ ...CLAIMS, aud: 'other' })],
  ['no audience', token(without('aud'))],
  ['an audience that begins like the client', token({ ...CLAIMS, aud: 'client2' })],
  ['several audiences and no party', token({ ...CLAIMS, aud: ['client', 'other'] })],
  ['several audiences and another party', token({ ...CLAIMS, aud: ['client', 'other'], azp: 'other' })],
  ['one audience and another party', token({ ...CLAIMS, azp: 'other' })],
  ['an expiry 60 s ago', token({ ...CLAIMS, exp: NOW - 60 })],
  ['no expiry', token(without('exp'))],
  ['an expiry in text', token({ ...CLAIMS, exp: String(NOW + 300) })],
  ['a beginning in 61 s', token({ ...CLAIMS, nbf: NOW + 61 })],
  ['an issue in 61 s', token({ ...CLAIMS, iat: NOW + 61 })],
  ['no time of issue', token(without('iat'))],
  ['another nonce', token({ ...CLAIMS, nonce: 'n-0S7' })],
  ['no nonce', token(without('nonce'))],
  ['no subject', token(without('sub'))],
  ['an empty subject', token({ ...CLAIMS, sub: '' })],
  ['a subject that is a number', token({ ...CLAIMS, sub: 1 })],
  ['no signature', `${part({ alg: 'none' })}.${body}.`],
  ['the algorithm none with a signature', `${part({ alg: 'none', kid: 'a' })}.${body}.${tail}`],
  ['an HMAC under the public key', hmac()],
  ['an algorithm that the provider does not use', token(CLAIMS, { alg: 'ES256', kid: 'ec' }, ec.privateKey)],
  ['the key of somebody else', token(CLAIMS, {}, otherRsa.privateKey)],
  [
    'a key that the header brings',
    token(CLAIMS, { jwk: otherRsa.publicKey.export({ format: 'jwk' }) }, otherRsa.privateKey),
  ],
  [
    'an address of keys that the header brings',
    token(CLAIMS, { jku: 'https://evil.example/keys', kid: 'z' }, otherRsa.privateKey),
  ],
  ['a key id that nobody published', token(CLAIMS, { kid: '../a' })],
  ['a short RSA key', token(CLAIMS, { kid: 'short' }, smallRsa.privateKey)],
  ['an extension that must be understood', token(CLAIMS, { crit: ['exp'] })],
  ['another type of token', token(CLAIMS, { typ: 'logout+jwt' })],
  ['a changed body', `${head}.${part({ ...CLAIMS, sub: 'u2' })}.${tail}`],
  ['a changed signature', `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`],
  ['another spelling of the same bytes', `${valid}=`],
  ['another last letter for the same bytes', respelled(valid)],
];

describe('id tokens', () => {
  let tokens: IdTokens;
  const asked: string[] = [];

  beforeAll(() => {
    const published = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid });
    const keys = [published(rsa.publicKey, 'a'), published(ec.publicKey, 'ec'), published(smallRsa.publicKey, 'short')];
    const send = async ({ url }: OutboundRequest) => {
      asked.push(url);
      const body = Buffer.from(JSON.stringify({ keys }));
      return { status: 200, headers: {}, body, truncated: false, durationMs: 1 };
    };
    const clock = { timestamp: () => NOW * 1_000 } as Partial<Clock> as Clock;
    tokens = new IdTokens(new KeySets({ send } as Partial<OutboundHttp> as OutboundHttp, clock), clock);
  });

  it('that hold are read', async () => {
    await expect(tokens.verify(valid, TERMS)).resolves.toEqual(CLAIMS);
    const several = { ...CLAIMS, aud: ['client', 'other'], azp: 'client', exp: NOW - 59 };
    await expect(tokens.verify(token(several), TERMS)).resolves.toEqual(several);
    await expect(tokens.verify(token(without('nonce')), { ...TERMS, nonce: null })).resolves.toBeDefined();
    await expect(tokens.verify(valid, { ...TERMS, nonce: null })).rejects.toThrow('the nonce is another');
  });

  it.each(MUTATED)('are refused with %s', async (_, text) => {
    await expect(tokens.verify(text, TERMS)).rejects.toMatchObject({ name: 'OidcError', failure: 'id_token' });
  });

  it('were tried in at least thirty wrong forms, and keys were asked for at one address', () => {
    expect(MUTATED.length).toBeGreaterThanOrEqual(30);
    expect(new Set(asked)).toEqual(new Set([JWKS]));
  });

  it('of a vendor with one issuer a tenant name the issuer of their own tenant', async () => {
    const terms = { ...TERMS, issuer: 'https://login.example/{tenantid}/v2.0' };
    const tid = '11111111-2222-3333-4444-555555555555';
    const iss = `https://login.example/${tid}/v2.0`;
    await expect(tokens.verify(token({ ...CLAIMS, iss, tid }), terms)).resolves.toMatchObject({ tid });
    const wrong = [
      { iss },
      { iss, tid: '22222222-2222-3333-4444-555555555555' },
      { iss: 'https://login.example/x/../evil/v2.0', tid: 'x/../evil' },
      { iss: terms.issuer, tid: '{tenantid}' },
    ];
    for (const claims of wrong) {
      await expect(tokens.verify(token({ ...CLAIMS, ...claims }), terms)).rejects.toMatchObject({
        failure: 'id_token',
      });
    }
  });

  it('are refused while the keys cannot be had', async () => {
    const send = async () => ({ status: 503, headers: {}, body: Buffer.from(''), truncated: false, durationMs: 1 });
    const clock = { timestamp: () => NOW * 1_000 } as Partial<Clock> as Clock;
    const cut = new IdTokens(new KeySets({ send } as Partial<OutboundHttp> as OutboundHttp, clock), clock);
    await expect(cut.verify(valid, TERMS)).rejects.toMatchObject({ failure: 'unreachable' });
  });
});
