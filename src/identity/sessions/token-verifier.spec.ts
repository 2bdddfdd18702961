import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import { sessionFixture } from './session.fixture.js';
import { issuerOf, minifiedClaims, type Claims } from './token-claims.js';
import { TokenSigner } from './token-signer.js';
import { LEEWAY_SECONDS } from './signed-token.js';
import { verifyToken, type Expectations } from './token-verifier.js';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ours = rsa();
const theirs = rsa();
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KID = randomUUID();
const ELLIPTIC_KID = randomUUID();
const PRIVATE_KID = randomUUID();
const NOW = 1_767_225_700;
const { environmentId } = sessionFixture();
const ISSUER = issuerOf('https://id.example.com', environmentId);
const KEYS = new Map<string, KeyObject>([
  [KID, ours.publicKey],
  [ELLIPTIC_KID, elliptic.publicKey],
  [PRIVATE_KID, ours.privateKey],
]);

const expected: Expectations = {
  environmentId,
  issuer: ISSUER,
  nowSeconds: NOW,
  findKey: async (kid) => KEYS.get(kid) ?? null,
};

const claims: Claims = minifiedClaims({
  session: sessionFixture(),
  user: { id: sessionFixture().userId, verifiedCredentials: [] },
  scope: 'user:basic gold',
  lists: [],
  issuer: ISSUER,
  defaultAudience: 'https://id.example.com',
  kid: KID,
});
const signer = new TokenSigner(new JwtService({}));
const genuine = await signer.sign(claims, { kid: KID, privateKey: ours.privateKey });
const [head, body, tail] = genuine.split('.') as [string, string, string];

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token whose signature is right, so that only what was changed can be why it is refused. */
function signed(header: object, changes: Claims = {}, key = ours.privateKey): string {
  const input = `${encode({ alg: 'RS256', typ: 'JWT', kid: KID, ...header })}.${encode({ ...claims, ...changes })}`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

function macced(header: object, secret: string | Buffer): string {
  const input = `${encode({ typ: 'JWT', kid: KID, ...header })}.${body}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const jwk = theirs.publicKey.export({ format: 'jwk' });
const pem = createPublicKey(ours.privateKey).export({ format: 'pem', type: 'spki' });
const der = ours.publicKey.export({ format: 'der', type: 'spki' });
const theirHeader = (header: object): string => signed(header, {}, theirs.privateKey);
const dropped = (name: string): string => signed({}, { [name]: undefined });
const flipped = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
const lastBitFlipped = (text: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) ^ 1];
};

const FORGED: [name: string, token: string][] = [
  ['alg none without a signature', `${encode({ alg: 'none', typ: 'JWT', kid: KID })}.${body}.`],
  ['alg none with the signature of another', `${encode({ alg: 'none', typ: 'JWT', kid: KID })}.${body}.${tail}`],
  ['alg None in another spelling', `${encode({ alg: 'nOnE', typ: 'JWT', kid: KID })}.${body}.AA`],
  ['no alg', `${encode({ typ: 'JWT', kid: KID })}.${body}.${tail}`],
  ['HS256 with the public key in PEM', macced({ alg: 'HS256' }, pem)],
  ['HS256 with the public key in DER', macced({ alg: 'HS256' }, der)],
  ['HS256 with an empty secret', macced({ alg: 'HS256' }, '')],
  ['an HMAC that says RS256', macced({ alg: 'RS256' }, pem)],
  ['RS512', signed({ alg: 'RS512' })],
  ['PS256', signed({ alg: 'PS256' })],
  ['ES256 with an elliptic key', signed({ alg: 'ES256', kid: ELLIPTIC_KID }, {}, elliptic.privateKey)],
  ['an elliptic key that says RS256', signed({ kid: ELLIPTIC_KID }, {}, elliptic.privateKey)],
  ['a kid that leads to a private key', signed({ kid: PRIVATE_KID })],
  ['a jku', theirHeader({ jku: 'https://evil.example/jwks' })],
  ['an embedded jwk', theirHeader({ jwk })],
  ['an x5u', theirHeader({ x5u: 'https://evil.example/cert' })],
  ['an x5c', theirHeader({ x5c: ['MIIB'] })],
  ['crit', signed({ crit: ['exp'] })],
  ['b64 switched off', signed({ b64: false })],
  ['another key under our kid', theirHeader({})],
  ['an unknown kid', signed({ kid: randomUUID() })],
  ['a kid that is a path', signed({ kid: '../../etc/passwd' })],
  ['a kid that is SQL', signed({ kid: "' OR 1=1 --" })],
  ['a kid that is a list', signed({ kid: [KID] })],
  ['another typ', signed({ typ: 'mfa+jwt' })],
  ['no typ', signed({ typ: undefined })],
  ['the issuer of another environment', signed({}, { iss: issuerOf('https://id.example.com', randomUUID()) })],
  ['an issuer of another host', signed({}, { iss: `evil.example/${environmentId}` })],
  ['a list of issuers', signed({}, { iss: [ISSUER] })],
  ['another environment', signed({}, { environment_id: randomUUID() })],
  ['an expiry beyond the leeway', signed({}, { exp: NOW - LEEWAY_SECONDS })],
  ['no expiry', dropped('exp')],
  ['an expiry that is text', signed({}, { exp: '9999999999' })],
  ['an issue in the future', signed({}, { iat: NOW + LEEWAY_SECONDS + 1 })],
  ['a begin in the future', signed({}, { nbf: NOW + LEEWAY_SECONDS + 1 })],
  ['no subject', dropped('sub')],
  ['no session', dropped('sid')],
  ['no token id', dropped('jti')],
  ['no audience', dropped('aud')],
  ['several audiences', signed({}, { aud: ['https://app.example.com', 'https://evil.example'] })],
  ['a purpose of its own', signed({}, { purpose: 'backup' })],
  ['a scope that is a list', signed({}, { scope: ['admin'] })],
  ['a changed body', `${head}.${encode({ ...claims, sub: randomUUID() })}.${tail}`],
  ['a changed header', `${encode({ alg: 'RS256', kid: KID, typ: 'JWT' })}.${body}.${tail}`],
  ['a changed signature', `${head}.${body}.${flipped(tail)}`],
  ['a signature in a second spelling', `${head}.${body}.${lastBitFlipped(tail)}`],
  ['a padded signature', `${genuine}==`],
  ['no signature', `${head}.${body}.`],
  ['two parts', `${head}.${body}`],
  ['four parts', `${genuine}.${tail}`],
  ['doubled dots', `${head}..${body}.${tail}`],
  ['five parts, as an encrypted token has', `${head}.${body}.${tail}.${body}.${tail}`],
  ['a space', `${genuine} `],
  ['a header that is no JSON', `${encode('{')}.${body}.${tail}`],
  ['a header that is a list', `${encode([])}.${body}.${tail}`],
  ['a body that is null', `${head}.${encode('null')}.${tail}`],
  ['a huge token', signed({}, { filler: 'x'.repeat(20_000) })],
  ['nothing', ''],
];

describe('a token', () => {
  it('that is genuine tells user, session, token, site and scopes', async () => {
    const session = sessionFixture();
    await expect(verifyToken(genuine, expected)).resolves.toEqual({
      userId: session.userId,
      sessionId: session.id,
      tokenId: session.tokenId,
      issuedTo: session.audience,
      amr: session.amr,
      scopes: ['user:basic', 'gold'],
    });
  });

  it('is accepted a minute after its expiry and before its issue, since clocks differ', async () => {
    await expect(verifyToken(signed({}, { exp: NOW - LEEWAY_SECONDS + 1 }), expected)).resolves.not.toBeNull();
    await expect(verifyToken(signed({}, { iat: NOW + LEEWAY_SECONDS }), expected)).resolves.not.toBeNull();
  });

  it('is the same text whenever the same claims are signed', async () => {
    await expect(signer.sign(claims, { kid: KID, privateKey: ours.privateKey })).resolves.toBe(genuine);
  });

  it('that is forged is tried in 40 ways at least', () => {
    expect(FORGED.length).toBeGreaterThanOrEqual(40);
    expect(new Set(FORGED.map(([, token]) => token)).size).toBe(FORGED.length);
  });

  it.each(FORGED)('with %s is refused', async (_name, token) => {
    await expect(verifyToken(token, expected)).resolves.toBeNull();
  });

  it('never makes us look for a key when its claims do not hold', async () => {
    const asked: string[] = [];
    const findKey = async (kid: string) => (asked.push(kid), ours.publicKey);
    await verifyToken(signed({}, { exp: 1 }), { ...expected, findKey });
    expect(asked).toEqual([]);
  });
});
