import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { Issuer, signer, type Signer } from './token-issuer.js';
import type { World } from './world.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'gatehouse';

/** A customer's own identity service, for the lifetime of this process. */
let shared: Promise<{ issuer: Issuer; key: Signer }> | null = null;

async function start(): Promise<{ issuer: Issuer; key: Signer }> {
  const [issuer, key] = await Promise.all([Issuer.start(), signer('ES256')]);
  issuer.keys = [key.publicJwk];
  issuer.unref();
  return { issuer, key };
}

/** Has an environment trust the issuer. */
export async function trustIssuer(world: World, change: object = {}): Promise<void> {
  const { issuer } = await (shared ??= start());
  const externalAuth = { enabled: true, iss: ISSUER, aud: AUDIENCE, jwksUrl: `${issuer.url}/keys`, ...change };
  await world.owner.put(world.path(''), { security: { externalAuth } }, { expect: 200 });
}

/** A valid token of the issuer, for a unique subject. */
export async function issuedToken(claims: object = {}): Promise<string> {
  const { key } = await (shared ??= start());
  const now = Math.floor(Date.now() / 1_000);
  const all = { iss: ISSUER, aud: AUDIENCE, sub: randomUUID(), iat: now, exp: now + 60, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT' }).sign(key.privateKey);
}

/** A token accepted by the environment. */
export async function trustedToken(world: World): Promise<string> {
  await trustIssuer(world);
  return issuedToken();
}
