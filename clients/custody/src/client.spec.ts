import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { ed25519Verify } from '../../../src/custody/derivation/ed25519-key.js';
import { commitNonces, completeSignature, publicKeyOf } from '../../../src/custody/threshold/frost.js';
import { beginKeygen, finishKeygen } from '../../../src/custody/threshold/key-generation.js';
import { parseKeygenShares, parseSigningShares } from '../../../src/custody/threshold/wire.js';
import { receiverKeys } from '../../../src/vault/index.js';
import { KeyGeneration, payloadOf, signingShares, verifyOutcome } from './index.js';

const ROOM = { environmentId: '018f2b7c-0000-7000-8000-000000000001', roomId: '018f2b7c-0000-7000-8000-000000000002' };

const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const;

type Scheme = (typeof SCHEMES)[number];

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A key generation between the two halves, with every message as JSON. */
async function generated(scheme: Scheme, tamper: (message: ReturnType<typeof parseKeygenShares>) => void = () => {}) {
  const receivers = [1, 2]
    .slice(0, scheme === 'THREE_OF_FIVE' ? 2 : 1)
    .map((at) => createHash('sha256').update(`receiver ${at}`).digest());
  const serverIds = await Promise.all(receivers.map(async (one) => base58.encode((await receiverKeys(one)).X25519)));
  const client = await KeyGeneration.begin(scheme, 'SVM');
  const secrets = asJson(beginKeygen('ed25519', scheme, receivers));
  const sent = parseKeygenShares(
    asJson(await client.respond(ROOM, { packages: secrets.packages }, serverIds)) as never,
  );
  tamper(sent);
  const clientKeys = client.keygenIds.map((id) => base58.decode(id));
  const made = await finishKeygen({ curve: 'ed25519', scheme, clientKeys, ...ROOM }, secrets, sent);
  const nonces = commitNonces('ed25519', made.secrets);
  const publicKey = publicKeyOf(made.public).toString('hex');
  const address = base58.encode(publicKeyOf(made.public));
  const said = { shares: made.shares, commitments: nonces.commitments, publicKey, address, walletId: 'w' };
  return { client, made, nonces, said };
}

describe('the two halves of a shared key', () => {
  it.each(SCHEMES)('make one by %s, and each side checks that the other has its shares', async (scheme) => {
    const { client, made, nonces, said } = await generated(scheme);
    const { shares, proof } = await client.finish(ROOM, asJson(said));
    expect(shares.publicShares).toEqual(made.public);
    const side = { shares: made.public, secrets: made.secrets, ...nonces };
    const text = Buffer.from(`gatehouse/keygen-proof/v1|${ROOM.roomId}|${said.publicKey}`);
    const { signature } = completeSignature(side, parseSigningShares(asJson(proof) as never), text);
    expect(ed25519Verify(text, publicKeyOf(made.public), signature)).toBe(true);
  });

  it.each(SCHEMES)('sign together by %s with one device, and the device makes the signature itself', async (scheme) => {
    const { client, made, said } = await generated(scheme);
    const { shares } = await client.finish(ROOM, asJson(said));
    const message = Buffer.from('I agree.');
    const nonces = commitNonces('ed25519', made.secrets);
    const own = signingShares(shares, nonces.commitments, message, [1]);
    const side = { shares: made.public, secrets: made.secrets, ...nonces };
    const answer = completeSignature(side, parseSigningShares(asJson(own)), message);
    const signature = verifyOutcome(shares, nonces.commitments, message, own, answer.shares);
    expect(Buffer.from(signature)).toEqual(answer.signature);
    expect(ed25519Verify(message, publicKeyOf(made.public), signature)).toBe(true);
    const wrong = answer.shares.map(({ id }) => ({ id, share: own.shares[0]!.share }));
    expect(() => verifyOutcome(shares, nonces.commitments, message, own, wrong)).toThrow();
  });

  it('give up when the service says the address of another key', async () => {
    const { client, said } = await generated('TWO_OF_TWO');
    const other = base58.encode(createHash('sha256').update('another key').digest());
    await expect(client.finish(ROOM, asJson({ ...said, address: other }))).rejects.toThrow('another address');
  });

  it('give up when a sealed share was changed, or was sealed for another room', async () => {
    const changed = generated('TWO_OF_TWO', ({ shares }) => {
      const [share] = shares as unknown as { ciphertext: string }[];
      share!.ciphertext = `${share!.ciphertext.startsWith('A') ? 'B' : 'A'}${share!.ciphertext.slice(1)}`;
    });
    await expect(changed).rejects.toMatchObject({ name: 'CeremonyFault', party: 1 });
  });

  it('give up when a proof of knowledge is another one', async () => {
    const changed = generated('TWO_OF_TWO', ({ packages }) => {
      const [own] = packages as unknown as { proof: string }[];
      own!.proof = own!.proof.slice(0, 64) + '01'.padEnd(64, '0');
    });
    await expect(changed).rejects.toMatchObject({ name: 'CeremonyFault', party: 1 });
  });

  it('give up when the service says another key than the one that was made', async () => {
    const { client, said } = await generated('TWO_OF_TWO');
    await expect(client.finish(ROOM, { ...said, publicKey: '00'.repeat(32) })).rejects.toThrow('another public key');
  });

  it('know what a chain signs', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(payloadOf({ chain: 'SVM', kind: 'message', bytes })).toEqual(bytes);
    const transaction = Uint8Array.from([1, ...new Array<number>(64).fill(0), 9, 9]);
    expect(payloadOf({ chain: 'SVM', kind: 'transaction', bytes: transaction })).toEqual(Uint8Array.of(9, 9));
    expect(payloadOf({ chain: 'SUI', kind: 'message', bytes })).toHaveLength(32);
  });
});
