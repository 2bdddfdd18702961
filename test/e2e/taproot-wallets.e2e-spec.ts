import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schnorr } from '@noble/curves/secp256k1.js';
import { initEccLib, payments, Psbt } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { KeyGeneration, payloadOf, signInRoom, type ShareSet } from '../../clients/custody/src/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Opened {
  roomId: string;
  code?: string;
  payload?: { reason?: string };
}

const TEXT = 'I agree.';
const SOMEBODY = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const;

initEccLib(secp256k1);

const xOf = ({ publicShares }: ShareSet): Buffer => Buffer.from(publicShares.commitments[0]!, 'hex').subarray(1);

function psbtOf(shares: ShareSet, inputs = 1, to = SOMEBODY): Psbt {
  const script = payments.p2tr({ pubkey: xOf(shares) }).output!;
  const psbt = new Psbt();
  for (let at = 0; at < inputs; at++) {
    psbt.addInput({ hash: Buffer.alloc(32, at + 1), index: at, witnessUtxo: { script, value: 50_000n } });
  }
  return psbt.addOutput({ address: to, value: 40_000n });
}

describe('a wallet of Taproot whose key its user and the service share', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn;
  let device: Device;

  const waas = (path: string, body: object, token = owner.jwt) =>
    world.anonymous.post<Opened>(world.sdk(`/waas/${path}`), body, { token });
  const signPsbt = async (by: Device, shares: ShareSet, psbt: string, token = owner.jwt) => {
    const { status, body } = await waas(`${shares.walletId}/signMessage`, { message: psbt, bitcoinConfig: {} }, token);
    expect([status, body.code]).toEqual([200, undefined]);
    const { address } = shares;
    const wanted = { chain: 'BTC', kind: 'psbt', bytes: Buffer.from(psbt, 'base64'), address } as const;
    return signInRoom(by.rooms, shares, wanted, body.roomId);
  };
  const ledgerOf = (walletId: string, operation: string) =>
    rowsOf<{ verdict: string; digest: Buffer | null; subject: Record<string, unknown> }>(
      test,
      `SELECT verdict, digest, subject FROM key_ledger
       WHERE environment_id = $1 AND operation = $3 AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, walletId, operation],
    );

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    owner = await world.signIn(newEmail());
    device = new Device(world, owner.jwt);
  });
  afterAll(() => test.close());

  it.each(SCHEMES)('is made by %s, with its address, in the ledger, and signs a PSBT of two inputs', async (scheme) => {
    const shares = await device.create(scheme, 'BTC');
    expect(shares.address).toBe(payments.p2tr({ pubkey: xOf(shares) }).address);
    expect(await ledgerOf(shares.walletId, 'create')).toMatchObject([
      { verdict: 'allowed', subject: { protocol: 'FROST', scheme, chain: 'BTC', address: shares.address } },
    ]);
    const { body } = await world.api.get<{ wallet: object }>(world.path(`/waas/${shares.walletId}`), { expect: 200 });
    expect(body.wallet).toMatchObject({ accountAddress: shares.address, chainName: 'BTC' });
    const first = await signPsbt(device, shares, psbtOf(shares, 2).toBase64());
    const second = await signPsbt(device, shares, first.signed.signedTransaction!);
    const signed = Psbt.fromBase64(second.signed.signedTransaction!);
    for (const at of [0, 1]) {
      const verify = (key: Uint8Array, hash: Uint8Array, made: Uint8Array) => schnorr.verify(made, hash, key);
      const isValid = signed.validateSignaturesOfInput(at, verify, xOf(shares));
      expect(isValid).toBe(true);
    }
    expect(signed.finalizeAllInputs().extractTransaction(true).ins).toHaveLength(2);
    const rows = await ledgerOf(shares.walletId, 'sign');
    expect(rows.map(({ verdict }) => verdict)).toEqual(['allowed', 'allowed']);
    const events = await eventsOf(test, world.environmentId, shares.walletId);
    const told = events.filter(({ name }) => name === 'wallet.signed');
    expect(told.map(({ data }) => data['digest']).sort()).toEqual(
      rows.map(({ digest }) => digest!.toString('hex')).sort(),
    );
  });

  it('signs a text by BIP-322', async () => {
    const shares = await device.create('TWO_OF_TWO', 'BTC');
    const { body } = await waas(`${shares.walletId}/signMessage`, { message: TEXT });
    const { address } = shares;
    const wanted = { chain: 'BTC', kind: 'message', bytes: Buffer.from(TEXT), address } as const;
    const { signature, signed } = await signInRoom(device.rooms, shares, wanted, body.roomId);
    expect(schnorr.verify(signature, payloadOf(wanted), xOf(shares))).toBe(true);
    expect(signed.signature).toBe(Buffer.concat([Buffer.of(1, 64), signature]).toString('base64'));
  });

  it('keeps its address when its shares are made anew, and signs nothing with those that were', async () => {
    let shares = await device.create('TWO_OF_TWO', 'BTC');
    const first = shares;
    for (const scheme of [undefined, 'TWO_OF_THREE'] as const) {
      shares = await device.renew(shares, scheme);
      expect(shares.address).toBe(first.address);
      await signPsbt(device, shares, psbtOf(shares).toBase64());
    }
    const old = signPsbt(device, first, psbtOf(first).toBase64());
    await expect(old).rejects.toMatchObject({ name: 'OtherGeneration', generation: 3 });
  });

  it('signs nothing but the PSBT as it is, and for no other chain, network or kind of address', async () => {
    const shares = await device.create('TWO_OF_TWO', 'BTC');
    const path = `${shares.walletId}/signMessage`;
    const message = psbtOf(shares).toBase64();
    for (const body of [
      { message, bitcoinConfig: { addressType: 'payment' } },
      { message, bitcoinConfig: { network: 'testnet' } },
      { message: 'not base64', bitcoinConfig: {} },
      { message, isFormatted: true, bitcoinConfig: {} },
      { message: TEXT, context: { svmMessage: TEXT } },
    ]) {
      expect((await waas(path, body)).status).toBe(400);
    }
    const other = await device.create('TWO_OF_TWO', 'BTC');
    const foreign = await waas(path, { message: psbtOf(other).toBase64(), bitcoinConfig: {} });
    expect([foreign.status, foreign.body.code]).toEqual([422, 'unsignable_request']);
    expect((await ledgerOf(shares.walletId, 'sign')).at(-1)).toMatchObject({ verdict: 'unsignable_request' });
    const { keygenIds: clientKeygenIds } = await KeyGeneration.begin('TWO_OF_TWO', 'BTC');
    expect((await waas('create', { chain: 'BTC', addressType: 'payment', clientKeygenIds })).status).toBe(400);
    expect((await waas('create', { chain: 'SVM', addressType: 'taproot', clientKeygenIds })).status).toBe(400);
    expect((await waas('create', { chain: 'BTC', addressType: 'taproot', clientKeygenIds })).status).toBe(200);
  });

  it('signs for no other address than a rule allows, decoded from the PSBT', async () => {
    const guarded = await World.create(test);
    const person = await guarded.signIn(newEmail());
    const theirs = new Device(guarded, person.jwt);
    const shares = await theirs.create('TWO_OF_TWO', 'BTC');
    const rule = { name: 'One address', ruleType: 'deny', chain: 'BTC', addresses: [SOMEBODY] };
    await guarded.api.post(guarded.path('/waas/policies'), { rulesToAdd: [rule] }, { expect: 201 });
    const ask = (to: string) =>
      guarded.anonymous.post<Opened>(
        guarded.sdk(`/waas/${shares.walletId}/signMessage`),
        { message: psbtOf(shares, 1, to).toBase64(), bitcoinConfig: {} },
        { token: person.jwt },
      );
    expect((await ask(SOMEBODY)).body.code).toBe('refused_by_signing_policy');
    expect((await ask('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3')).status).toBe(200);
  });
});
