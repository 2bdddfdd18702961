import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { schnorr } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { initEccLib, payments, Psbt, Transaction } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { taprootAddress } from '../../../src/custody/derivation/taproot-address.js';
import { readSignable } from '../../../src/custody/signing/read-signable.js';
import {
  commitNonces,
  completeSignature,
  publicKeyOf,
  type PublicShares,
  type SecretShare,
} from '../../../src/custody/threshold/frost.js';
import { beginKeygen, finishKeygen } from '../../../src/custody/threshold/key-generation.js';
import { beginReshare, finishReshare } from '../../../src/custody/threshold/resharing.js';
import { clientParties, partiesOf, serverParties } from '../../../src/custody/threshold/schemes.js';
import { parseKeygenShares, parseReshareShares, parseSigningShares } from '../../../src/custody/threshold/wire.js';
import { receiverKeys } from '../../../src/vault/index.js';
import { KeyGeneration, openBackup, payloadOf, Resharing, sealBackup, signingShares, type ShareSet } from './index.js';

initEccLib(secp256k1);

const ROOM = { environmentId: '018f2b7c-0000-7000-8000-000000000001', roomId: '018f2b7c-0000-7000-8000-000000000002' };
const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const;
const DIGEST = createHash('sha256').update('test').digest();

type Scheme = (typeof SCHEMES)[number];

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Both sides of a key. */
interface Key {
  readonly client: ShareSet;
  readonly shares: PublicShares;
  readonly secrets: readonly SecretShare[];
}

const xOf = (shares: PublicShares): Uint8Array => publicKeyOf(shares).subarray(1);

async function receiversOf(scheme: Scheme) {
  const receivers = serverParties(scheme).map((at) => createHash('sha256').update(`receiver ${at}`).digest());
  const keygenIds = await Promise.all(receivers.map(async (one) => base58.encode((await receiverKeys(one)).X25519)));
  return { receivers, keygenIds };
}

/** A key generation between the two halves, with every message as JSON. */
async function generated(scheme: Scheme): Promise<Key> {
  const { receivers, keygenIds } = await receiversOf(scheme);
  const client = await KeyGeneration.begin(scheme, 'BTC');
  const kept = asJson(beginKeygen('secp256k1', scheme, receivers));
  const sent = parseKeygenShares(asJson(await client.respond(ROOM, { packages: kept.packages }, keygenIds)) as never);
  const clientKeys = client.keygenIds.map((id) => base58.decode(id));
  const made = await finishKeygen({ curve: 'secp256k1', scheme, clientKeys, ...ROOM }, kept, sent);
  const nonces = commitNonces('secp256k1', made.secrets);
  const publicKey = publicKeyOf(made.public).toString('hex');
  const address = taprootAddress(publicKeyOf(made.public));
  const said = { shares: made.shares, commitments: nonces.commitments, publicKey, address, walletId: 'w' };
  const { shares, proof } = await client.finish(ROOM, asJson(said));
  expect(shares.publicShares).toEqual(made.public);
  const text = Buffer.from(`gatehouse/keygen-proof/v1|${ROOM.roomId}|${publicKey}`);
  const side = { shares: made.public, secrets: made.secrets, ...nonces };
  const { signature } = completeSignature(side, parseSigningShares(asJson(proof) as never), text);
  expect(schnorr.verify(signature, text, xOf(made.public))).toBe(true);
  return { client: shares, shares: made.public, secrets: made.secrets };
}

/** A refresh or reshare between them. */
async function anew(key: Key, scheme: Scheme): Promise<Key> {
  const generation = key.client.generation ?? 1;
  const { receivers, keygenIds } = await receiversOf(scheme);
  const kept = asJson(beginReshare(key, scheme, receivers));
  const packages = kept.dealers.map(({ id, commitment }) => ({ id, commitment }));
  const client = await Resharing.begin(key.client, scheme);
  const opening = asJson({ generation, scheme, packages });
  const sent = parseReshareShares(asJson(await client.respond(ROOM, opening, keygenIds)) as never);
  const clientKeys = sent.keygenIds.map((id) => base58.decode(id));
  const made = await finishReshare({ scheme, clientKeys, ...ROOM }, key, kept, sent);
  const nonces = commitNonces('secp256k1', made.secrets);
  const publicKey = publicKeyOf(made.public).toString('hex');
  const said = { generation: generation + 1, shares: made.shares, commitments: nonces.commitments, publicKey };
  const { shares, proof, text } = await client.finish(ROOM, asJson(said));
  const side = { shares: made.public, secrets: made.secrets, ...nonces };
  const { signature } = completeSignature(side, parseSigningShares(asJson(proof) as never), text);
  expect(schnorr.verify(signature, text, xOf(key.shares))).toBe(true);
  return { client: shares, shares: made.public, secrets: made.secrets };
}

function signature(
  { client, shares, secrets }: Key,
  message: Uint8Array,
  theirs: readonly number[] = [1],
  own: readonly number[] = secrets.map(({ id }) => id),
): Buffer {
  const chosen = secrets.filter(({ id }) => own.includes(id));
  const nonces = commitNonces('secp256k1', chosen);
  const sent = parseSigningShares(asJson(signingShares(client, nonces.commitments, message, theirs)));
  return completeSignature({ shares, secrets: chosen, ...nonces }, sent, message).signature;
}

function signs(key: Key, theirs: readonly number[], own: readonly number[]): boolean {
  try {
    return schnorr.verify(signature(key, DIGEST, theirs, own), DIGEST, xOf(key.shares));
  } catch {
    return false;
  }
}

const subsets = (of: readonly number[]): number[][] =>
  of.reduce<number[][]>((all, one) => [...all, ...all.map((some) => [...some, one])], [[]]);

/** By bitcoinjs-lib. */
const validates = (publicKey: Uint8Array, hash: Uint8Array, made: Uint8Array): boolean =>
  secp256k1.verifySchnorr(hash, publicKey, made);

describe('a shared key of Taproot', () => {
  it.each(SCHEMES)('made by %s signs in every number that it takes, and in none below', async (scheme) => {
    const key = await generated(scheme);
    for (const theirs of subsets(clientParties(scheme))) {
      for (const own of subsets(serverParties(scheme))) {
        if (theirs.length === 0 || own.length === 0) continue;
        const isEnough = theirs.length + own.length >= partiesOf(scheme).min;
        expect([theirs, own, signs(key, theirs, own)]).toEqual([theirs, own, isEnough]);
      }
    }
  });

  it('has the address that bitcoinjs-lib makes of its output key, whichever parity it has', async () => {
    const parities = new Set<number>();
    for (let at = 0; at < 200 && parities.size < 2; at++) {
      const key = await generated('TWO_OF_TWO');
      const publicKey = publicKeyOf(key.shares);
      parities.add(publicKey[0]!);
      expect(key.client.address).toBe(payments.p2tr({ pubkey: publicKey.subarray(1) }).address);
      expect(signs(key, [1], [2])).toBe(true);
    }
    expect([...parities].sort()).toEqual([2, 3]);
  }, 60_000);

  it('keeps it from 2 of 2 to 2 of 3 to 3 of 5 to 2 of 2, and never signs with shares of two generations', async () => {
    let key = await generated('TWO_OF_TWO');
    const { address } = key.client;
    for (const scheme of ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO'] as const) {
      const next = await anew(key, scheme);
      expect(taprootAddress(publicKeyOf(next.shares))).toBe(address);
      const [theirs, own] = [clientParties(scheme), serverParties(scheme)];
      expect(signs(next, theirs, own)).toBe(true);
      expect(signs({ ...next, client: key.client }, clientParties('TWO_OF_TWO'), own)).toBe(false);
      expect(signs({ ...next, secrets: key.secrets }, theirs.slice(0, 1), own)).toBe(false);
      key = next;
    }
  });

  it('is backed up and recovered', async () => {
    const { client } = await generated('TWO_OF_THREE');
    const lock = { secret: new Uint8Array(createHash('sha256').update('a passkey').digest()) };
    expect(await openBackup(await sealBackup(client, lock), lock)).toEqual(client);
    const foreign = { ...client, address: client.address.replace(/.$/, (one) => (one === 'q' ? 'p' : 'q')) };
    await expect(openBackup(await sealBackup(foreign, lock), lock)).rejects.toThrow('another address');
  });

  it('names the participant whose share or commitment is none of the curve', async () => {
    const key = await generated('TWO_OF_TWO');
    const nonces = commitNonces('secp256k1', key.secrets);
    const own = signingShares(key.client, nonces.commitments, DIGEST);
    const side = { shares: key.shares, secrets: key.secrets, ...nonces };
    const onEdwards = { ...own.commitments[0]!, hiding: '58'.padEnd(64, '6') };
    for (const sent of [
      { ...own, commitments: [onEdwards] },
      { ...own, shares: [{ id: 1, share: 'ff'.repeat(32) }] },
    ]) {
      expect(() => completeSignature(side, parseSigningShares(sent), DIGEST)).toThrow(
        expect.objectContaining({ name: 'CeremonyFault', party: 1 }),
      );
    }
  });

  it('signs each input of a PSBT, as bitcoinjs-lib validates and finalizes them', async () => {
    const key = await generated('TWO_OF_TWO');
    const { address } = key.client;
    const internal = Buffer.from(xOf(key.shares));
    const script = payments.p2tr({ pubkey: internal }).output!;
    const previous = new Transaction();
    previous.addInput(Buffer.alloc(32, 9), 0);
    previous.addOutput(script, 70_000n);
    const psbt = new Psbt()
      .addInput({ hash: Buffer.alloc(32, 1), index: 3, witnessUtxo: { script, value: 50_000n } })
      .addInput({ hash: previous.getId(), index: 0, nonWitnessUtxo: previous.toBuffer() })
      .addOutput({ address, value: 1_000n })
      .addOutput({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', value: 110_000n });
    let bytes: Uint8Array = psbt.toBuffer();
    for (let at = 0; at < 2; at++) {
      const signable = readSignable({ chain: 'BTC', address }, { kind: 'psbt', psbt: bytes });
      expect(Buffer.from(payloadOf({ chain: 'BTC', kind: 'psbt', bytes, address }))).toEqual(signable.digest);
      const { signedTransaction } = signable.schnorr!.written(signature(key, signable.digest), publicKeyOf(key.shares));
      bytes = Buffer.from(signedTransaction!, 'base64');
    }
    const signed = Psbt.fromBuffer(bytes);
    // A final input tells its key with the output that it spends.
    signed.updateInput(1, { witnessUtxo: { script, value: 70_000n } });
    for (const at of [0, 1]) expect(signed.validateSignaturesOfInput(at, validates, internal)).toBe(true);
    const final = signed.finalizeAllInputs().extractTransaction(true);
    expect(final.ins.map(({ witness }) => witness.map(({ length }) => length))).toEqual([[64], [64]]);
    for (const again of [
      () => payloadOf({ chain: 'BTC', kind: 'psbt', bytes, address }),
      () => readSignable({ chain: 'BTC', address }, { kind: 'psbt', psbt: bytes }),
    ]) {
      expect(again).toThrow(/has no signature/);
    }
  });

  it('signs no part of a transaction, and none of which an input does not tell what it spends', async () => {
    const { client, shares } = await generated('TWO_OF_TWO');
    const { address } = client;
    const script = payments.p2tr({ pubkey: Buffer.from(xOf(shares)) }).output!;
    const input = { hash: Buffer.alloc(32, 1), index: 0, witnessUtxo: { script, value: 50_000n } };
    const refusal = (psbt: Psbt) => () =>
      readSignable(
        { chain: 'BTC', address },
        { kind: 'psbt', psbt: psbt.addOutput({ address, value: 1n }).toBuffer() },
      );
    expect(refusal(new Psbt().addInput({ ...input, sighashType: Transaction.SIGHASH_NONE }))).toThrow(
      'SIGHASH_DEFAULT',
    );
    const untold = new Psbt().addInput(input).addInput({ hash: Buffer.alloc(32, 2), index: 0 });
    expect(refusal(untold)).toThrow('does not tell it');
    const foreign = payments.p2tr({ pubkey: Buffer.from(schnorr.getPublicKey(DIGEST)) }).output!;
    const others = { ...input, witnessUtxo: { script: foreign, value: 50_000n } };
    expect(refusal(new Psbt().addInput(others))).toThrow('none of its inputs');
  });

  it('signs a text by BIP-322 as both halves read it', async () => {
    const key = await generated('TWO_OF_TWO');
    const { address } = key.client;
    const bytes = Buffer.from('I agree.');
    const signable = readSignable({ chain: 'BTC', address }, { kind: 'message', message: bytes });
    expect(Buffer.from(payloadOf({ chain: 'BTC', kind: 'message', bytes, address }))).toEqual(signable.digest);
    const made = signature(key, signable.digest);
    const witness = Buffer.from(signable.schnorr!.written(made, publicKeyOf(key.shares)).signature!, 'base64');
    expect(witness).toEqual(Buffer.concat([Buffer.of(1, 64), made]));
  });

  it('gives the bytes of docs/threshold.md for the key of RFC 9591, appendix E.5', () => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const publicKey = '02f37c34b66ced1fb51c34a90bdae006901f10625cc06c4f64663b0eae87d87b4f';
    const shares = {
      ...{ min: 2, max: 3 },
      commitments: [publicKey, '033edecb0840954631b668f2ccd1250832007486de1dbe3d08b84466b26e215eec'],
      verifyingShares: [SHARES.one, SHARES.two, SHARES.three].map((one) =>
        Buffer.from(secp256k1.pointFromScalar(Buffer.from(one, 'hex'), true)!).toString('hex'),
      ),
    };
    const nonces = [{ id: 3, hiding: hash('hiding 3'), binding: hash('binding 3') }];
    const commitments = [
      {
        id: 3,
        hiding: '02f229d3c85e58ad871c93689961dee6510f83911f8d66741bc815dcdfa42235a7',
        binding: '03c84cc25da79910ab199e351d4af4881e3c02fb0739e5289e78d6997f5a8ab499',
      },
    ];
    const sent = {
      commitments: [
        {
          id: 1,
          hiding: '024ff82214da57ff32cf451e56f06635275bbd5c1701cf3139821351bb777ec276',
          binding: '0261239f843ccb3e7bfc413186b1e893f2519d059ae06d798fc098225d8bdc7d60',
        },
      ],
      shares: [{ id: 1, share: 'b94aca2abe6e4a46e010640f864a595db7115318dc08442c948fafe8a2877834' }],
    };
    const side = { shares, secrets: [{ id: 3, share: SHARES.three }], nonces, commitments };
    const { shares: made, signature: whole } = completeSignature(
      side,
      parseSigningShares({ type: 'sign.shares', ...sent }),
      DIGEST,
    );
    expect(schnorr.verify(whole, DIGEST, Buffer.from(publicKey, 'hex').subarray(1))).toBe(true);
    const page = readFileSync(join(import.meta.dirname, '../../../docs/threshold.md'), 'utf8').replaceAll(/\s+/g, '');
    for (const value of [{ type: 'sign.shares', ...sent }, made[0], commitments[0]]) {
      expect(page).toContain(JSON.stringify(value));
    }
    expect(page).toContain(whole.toString('hex'));
  });
});

const SHARES = {
  one: '08f89ffe80ac94dcb920c26f3f46140bfc7f95b493f8310f5fc1ea2b01f4254c',
  two: '04f0feac2edcedc6ce1253b7fab8c86b856a797f44d83d82a385554e6e401984',
  three: '00e95d59dd0d46b0e303e500b62b7ccb0e555d49f5b849f5e748c071da8c0dbc',
};
