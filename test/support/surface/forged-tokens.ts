import { generateKeyPair, SignJWT } from 'jose';
import { SigningKeys } from '../../../src/environments/index.js';
import { resign } from './callers.js';
import type { Tenant } from './tenant.js';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;

/** Invalid Authorization headers, derived from valid tokens. */
export async function forgedAuthorizations(tenant: Tenant, jwt: string): Promise<[string, string][]> {
  const { world } = tenant;
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const claims = decode(payload) as Record<string, unknown>;
  const { kid } = decode(header) as { kid: string };
  const { privateKey } = await generateKeyPair('RS256');
  const publicKey = await world.test.app.get(SigningKeys).verificationKey(world.environmentId, kid);
  const publicText = Buffer.from(publicKey?.export({ type: 'spki', format: 'pem' }) ?? 'none');
  const sign = (extra: object, key: Parameters<SignJWT['sign']>[0] = privateKey): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ ...decode(header), alg: 'RS256', ...extra }).sign(key);
  const withClaims = (change: Record<string, unknown>): Promise<string> => resign(world, jwt, change);
  const token = world.token;
  const bearers: [string, string][] = [
    ['an API token of another end', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`],
    ['an API token cut short', token.slice(0, -6)],
    ['an API token with another secret', `${token.slice(0, 12)}${token[12] === 'a' ? 'b' : 'a'}${token.slice(13)}`],
    ['an API token in capitals', token.toUpperCase()],
    ['an API token twice', `${token}${token}`],
    ['a token without signature', `${encode({ ...decode(header), alg: 'none' })}.${payload}.`],
    ['a token of alg NoNe', `${encode({ ...decode(header), alg: 'NoNe' })}.${payload}.${signature}`],
    ['a token signed with the public key as a secret', await sign({ alg: 'HS256' }, publicText)],
    ['a token of somebody else’s key', await sign({})],
    ['a token of an unknown key', await sign({ kid: crypto.randomUUID() })],
    ['a token of a key named as a file', await sign({ kid: '../../../dev/null' })],
    ['a token that brings its key', await sign({ jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } })],
    ['a token that names where its key is', await sign({ jku: 'http://127.0.0.1:1/jwks' })],
    ['a token of another type', `${encode({ ...decode(header), typ: 'at+jwt' })}.${payload}.${signature}`],
    ['a token with other claims', `${header}.${encode({ ...claims, sub: tenant.ids['userId'] })}.${signature}`],
    ['a token of another issuer', await withClaims({ iss: 'https://issuer.example' })],
    ['a token without issuer', await withClaims({ iss: undefined })],
    ['a token without end', await withClaims({ exp: undefined })],
    ['a token without session', await withClaims({ sid: undefined })],
    ['a token from the future', await withClaims({ iat: 4e9, nbf: 4e9, exp: 4.1e9 })],
    ['a token of four parts', `${jwt}.${signature}`],
    ['a token of two parts', `${header}.${payload}`],
    ['dots', '..'],
    ['a number', '1'],
    ['8 000 characters', 'x'.repeat(8_000)],
  ];
  return [
    ...bearers.map(([name, value]): [string, string] => [name, `Bearer ${value}`]),
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['another scheme', `Basic ${Buffer.from(`user:${token}`).toString('base64')}`],
    ['no scheme', jwt],
    ['two tokens', `Bearer ${token}, Bearer ${token}`],
    ['a token in quotes', `Bearer "${token}"`],
  ];
}
