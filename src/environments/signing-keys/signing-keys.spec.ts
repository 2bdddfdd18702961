import { describe, expect, it, jest } from '@jest/globals';
import { createPublicKey, sign, verify } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import type { EnvironmentId } from '../../auth/index.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../vault/index.js';
import { PublishedKeys } from './published-keys.js';
import { RsaKeyPairs } from './rsa-key-pairs.js';
import { SigningKeyMaker, type NewSigningKey } from './signing-key-maker.js';
import { SigningKeys } from './signing-keys.js';
import type { SigningKeyRotation } from './signing-key-rotation.service.js';
import type { PublishedKey, SigningKeysRepository } from './signing-keys.repository.js';

const HERE = 'a0000000-0000-4000-8000-000000000001' as EnvironmentId;
const ELSEWHERE = 'a0000000-0000-4000-8000-000000000002' as EnvironmentId;

const envelope = new Envelope(parseKeyRing(generateMasterKey()));
const maker = new SigningKeyMaker(envelope, new RsaKeyPairs());

const row = (status: PublishedKey['status'], { id, publicKey, sealedPrivateKey }: NewSigningKey): PublishedKey => ({
  id,
  status,
  publicKey,
  sealedPrivateKey: status === 'current' ? sealedPrivateKey : null,
});

function keysOver(rows: Map<EnvironmentId, PublishedKey[]>) {
  const listPublished = jest.fn(async (environmentId: EnvironmentId) => rows.get(environmentId) ?? []);
  const repository = { listPublished } as Partial<SigningKeysRepository> as SigningKeysRepository;
  const published = new PublishedKeys(repository, envelope);
  return { listPublished, keys: new SigningKeys(published, {} as SigningKeyRotation) };
}

describe('the signing keys of an environment', () => {
  it('sign what the published set verifies, for a peer that knows the standard only', async () => {
    const { keys } = keysOver(new Map([[HERE, [row('current', await maker.make(HERE))]]]));
    const { kid, privateKey } = await keys.signer(HERE);
    const token = await new SignJWT({ sub: 'u' }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
    const set = createLocalJWKSet(await keys.jwks(HERE));
    expect((await jwtVerify(token, set, { algorithms: ['RS256'] })).payload).toEqual({ sub: 'u' });
  });

  it('verify by the current, the next and the previous key, and by no key of another environment', async () => {
    const made = await Promise.all([HERE, HERE, HERE, ELSEWHERE].map((id) => maker.make(id)));
    const [current, next, previous, foreign] = made as [NewSigningKey, NewSigningKey, NewSigningKey, NewSigningKey];
    const { keys } = keysOver(
      new Map([
        [HERE, [row('next', next), row('current', current), row('previous', previous)]],
        [ELSEWHERE, [row('current', foreign)]],
      ]),
    );
    expect((await keys.signer(HERE)).kid).toBe(current.id);
    expect((await keys.jwks(HERE)).keys.map(({ kid }) => kid)).toEqual([next.id, current.id, previous.id]);
    for (const { id } of [current, next, previous]) {
      expect((await keys.verificationKey(HERE, id))?.type).toBe('public');
    }
    expect(await keys.verificationKey(HERE, foreign.id)).toBeNull();
    expect(await keys.verificationKey(HERE, '../../etc/passwd')).toBeNull();
    expect(await keys.verificationKey(HERE, '__proto__')).toBeNull();
  });

  it('are read once for many tokens, and their key objects are built once', async () => {
    const { keys, listPublished } = keysOver(new Map([[HERE, [row('current', await maker.make(HERE))]]]));
    const first = await keys.signer(HERE);
    for (let token = 0; token < 50; token++) {
      expect((await keys.signer(HERE)).privateKey).toBe(first.privateKey);
      await keys.verificationKey(HERE, first.kid);
    }
    expect(listPublished).toHaveBeenCalledTimes(1);
  });

  it('are told as one public key in base64 of its PEM', async () => {
    const { keys } = keysOver(new Map([[HERE, [row('current', await maker.make(HERE))]]]));
    const { kid, privateKey } = await keys.signer(HERE);
    const { key } = await keys.currentPublicKey(HERE);
    const pem = Buffer.from(key!.publicKey!, 'base64').toString();
    const data = Buffer.from('text');
    expect(key!.id).toBe(kid);
    expect(verify('sha256', data, createPublicKey(pem), sign('sha256', data, privateKey))).toBe(true);
  });

  it('do not open when a row was moved to another environment or another key', async () => {
    const key = await maker.make(HERE);
    const moved = keysOver(new Map([[ELSEWHERE, [row('current', key)]]])).keys;
    await expect(moved.signer(ELSEWHERE)).rejects.toThrow();
    const renamed = keysOver(new Map([[HERE, [{ ...row('current', key), id: (await maker.make(HERE)).id }]]])).keys;
    await expect(renamed.signer(HERE)).rejects.toThrow();
  });

  it('that do not exist are not found, and their set is empty', async () => {
    const { keys } = keysOver(new Map());
    await expect(keys.signer(HERE)).rejects.toMatchObject({ code: 'not_found' });
    await expect(keys.currentPublicKey(HERE)).rejects.toMatchObject({ code: 'not_found' });
    expect(await keys.jwks(HERE)).toEqual({ keys: [] });
  });

  it('are RSA of 2048 bits and hold no private half in the clear', async () => {
    const { publicKey, sealedPrivateKey, masterKeyId } = await maker.make(HERE);
    expect(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength).toBe(2048);
    const encodingOfRsa = Buffer.from('06092a864886f70d010101', 'hex');
    expect(sealedPrivateKey.includes(encodingOfRsa)).toBe(false);
    expect(envelope.keyIdOf(sealedPrivateKey)).toBe(masterKeyId);
  });
});
