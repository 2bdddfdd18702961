import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Address, Cell, comment, internal, loadMessage, SendMode } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { httpRooms, httpSignatures, KeyGeneration, SharedKey, type ShareSet } from '../../clients/custody/src/index.js';
import { tonSigner } from '../../clients/custody/src/ton.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { writeTonData } from '../../src/custody/signing/ton-data.js';
import { firstShown } from '../../src/custody/signing/ton-signing.fixture.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Refusal {
  roomId: string;
  code?: string;
  payload?: { reason?: string };
}

const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const;
const SOMEBODY = Address.parseRaw(`0:${'4'.repeat(64)}`);
const SOMEBODY_ELSE = Address.parseRaw(`0:${'5'.repeat(64)}`);
const ABOUT = { domain: 'example.com', timestamp: 1_764_000_000 };
const TEXT = 'I agree ✓';

const keyOf = ({ publicShares }: ShareSet): Buffer => Buffer.from(publicShares.commitments[0]!, 'hex');

/** A payment as @ton/ton makes it, signed by whoever it is given. */
const transfer = (shares: ShareSet, signer: (message: Cell) => Promise<Buffer>, to = SOMEBODY, seqno = 0) =>
  firstShown(keyOf(shares)).createTransfer({
    seqno,
    signer,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    timeout: 1_900_000_000,
    messages: [internal({ to, value: 5n, bounce: false, body: comment('for the coffee') })],
  });

/** What it asks its signer to sign, in base64. */
async function unsigned(shares: ShareSet, to = SOMEBODY): Promise<string> {
  let asked = '';
  const signer = (message: Cell): Promise<Buffer> => {
    asked = message.toBoc().toString('base64');
    return Promise.resolve(Buffer.alloc(64));
  };
  await transfer(shares, signer, to);
  return asked;
}

describe('a wallet of TON whose key its user and the service share', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn;
  let device: Device;

  const waas = (path: string, body: object, tenant = world, token = owner.jwt) =>
    tenant.anonymous.post<Refusal>(tenant.sdk(`/waas/${path}`), body, { token });
  const sharedKey = (shares: ShareSet): SharedKey => {
    const at = { baseUrl: test.url, environmentId: world.environmentId, token: owner.jwt };
    return new SharedKey(shares, 'TON', httpRooms(at), httpSignatures(at));
  };
  const ledgerOf = (walletId: string, operation: string) =>
    rowsOf<{ verdict: string; reason: string; digest: Buffer | null; subject: Record<string, unknown> }>(
      test,
      `SELECT verdict, reason, digest, subject FROM key_ledger
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

  it.each(SCHEMES)(
    'is made by %s with its address, in the ledger, and signs what @ton/ton asks it to',
    async (scheme) => {
      const shares = await device.create(scheme, 'TON');
      const wallet = firstShown(keyOf(shares));
      expect(shares.address).toBe(wallet.address.toString({ bounceable: false }));
      expect(await ledgerOf(shares.walletId, 'create')).toMatchObject([
        { verdict: 'allowed', subject: { protocol: 'FROST', scheme, chain: 'TON', address: shares.address } },
      ]);
      const { body } = await world.api.get<{ wallet: object }>(world.path(`/waas/${shares.walletId}`), { expect: 200 });
      expect(body.wallet).toMatchObject({ accountAddress: shares.address, chainName: 'TON' });
      for (const spelling of [shares.address, wallet.address.toString(), wallet.address.toRawString()]) {
        const { verifiedCredentials } = (
          await world.anonymous.get<{ verifiedCredentials: { address: string; chain: string }[] }>(
            world.sdk(`/waas/byWalletAddress/${spelling}`),
            { token: owner.jwt, expect: 200 },
          )
        ).body;
        expect(verifiedCredentials).toMatchObject([{ address: shares.address, chain: 'ton' }]);
      }

      const signer = tonSigner(sharedKey(shares));
      const theirs = WalletContractV5R1.create({ publicKey: signer.publicKey, walletId: signer.walletId });
      expect(theirs.address.equals(wallet.address)).toBe(true);
      let message: Cell | undefined;
      const made = await transfer(shares, (cell) => signer.sign((message = cell)));
      const slice = made.beginParse();
      const signature = slice.skip(made.bits.length - 512).loadBuffer(64);
      expect(ed25519Verify(message!.hash(), signer.publicKey, signature)).toBe(true);
      const [row] = await ledgerOf(shares.walletId, 'sign');
      expect(row).toMatchObject({ verdict: 'allowed', reason: 'tonTransaction' });
      expect(row!.digest!.equals(message!.hash())).toBe(true);
      const told = (await eventsOf(test, world.environmentId, shares.walletId)).filter(
        ({ name }) => name === 'wallet.signed',
      );
      expect(told.map(({ data }) => data['digest'])).toEqual([message!.hash().toString('hex')]);
    },
  );

  it('hands over the message that a node takes, with the contract when it is the first', async () => {
    const shares = await device.create('TWO_OF_TWO', 'TON');
    const message = await unsigned(shares);
    const context = { tonTransaction: { serializedTransaction: message } };
    const { body } = await waas(`${shares.walletId}/signMessage`, { message, context });
    const wanted = { chain: 'TON', kind: 'transaction', bytes: Buffer.from(message, 'base64') } as const;
    const { signed, signature } = await device.complete(shares, wanted, body.roomId);
    expect(signed.signature).toBe(Buffer.from(signature).toString('base64'));
    const wallet = firstShown(keyOf(shares));
    const { info, init, body: inside } = loadMessage(Cell.fromBase64(signed.signedTransaction!).beginParse());
    expect(info).toMatchObject({ type: 'external-in' });
    expect(info.dest!.toString()).toBe(wallet.address.toString());
    expect(init!.code!.equals(wallet.init.code)).toBe(true);
    expect(init!.data!.equals(wallet.init.data)).toBe(true);
    expect(inside.equals(await transfer(shares, () => Promise.resolve(Buffer.from(signature))))).toBe(true);
  });

  it('signs a text and bytes for an application, as signData of TON Connect has it', async () => {
    const shares = await device.create('TWO_OF_THREE', 'TON');
    const account = { workchain: 0, hash: Address.parse(shares.address).hash };
    for (const content of [TEXT, Uint8Array.of(1, 2, 3)]) {
      const signature = await sharedKey(shares).signData(content, ABOUT);
      const kind = typeof content === 'string' ? 'txt' : 'bin';
      const data = writeTonData({ account, ...ABOUT, kind, content: Buffer.from(content) });
      const digest = createHash('sha256').update(data).digest();
      expect(ed25519Verify(digest, keyOf(shares), Buffer.from(signature))).toBe(true);
    }
    expect((await ledgerOf(shares.walletId, 'sign')).map(({ reason }) => reason)).toEqual(['tonData', 'tonData']);
    await expect(sharedKey(shares).sign('message', Buffer.from(TEXT))).rejects.toThrow('use signData');
  });

  it('keeps its address when its shares are made anew, and signs nothing with those that were', async () => {
    let shares = await device.create('TWO_OF_TWO', 'TON');
    const first = shares;
    for (const scheme of [undefined, 'TWO_OF_THREE'] as const) {
      shares = await device.renew(shares, scheme);
      expect(shares.address).toBe(first.address);
      await transfer(shares, tonSigner(sharedKey(shares)).sign);
    }
    const old = transfer(first, tonSigner(sharedKey(first)).sign);
    await expect(old).rejects.toMatchObject({ name: 'OtherGeneration', generation: 3 });
  });

  it('signs nothing that differs from what it is said to be, and for no other wallet, chain or network', async () => {
    const shares = await device.create('TWO_OF_TWO', 'TON');
    const path = `${shares.walletId}/signMessage`;
    const message = await unsigned(shares);
    const tonTransaction = { serializedTransaction: message };
    for (const body of [
      { message: TEXT },
      { message: TEXT, context: { tonTransaction } },
      { message: TEXT, context: { svmMessage: TEXT } },
      { message: TEXT, context: { tonMessage: { domain: 'example.com' } } },
      { message: TEXT, context: { tonMessage: { domain: '', timestamp: 1 } } },
      { message: TEXT, context: { tonMessage: { domain: 'example.com', timestamp: -1 } } },
      { message: TEXT, context: { tonMessage: { domain: 'example.com', timestamp: 1e21 } } },
      { message: 'xyz', isFormatted: true, context: { tonMessage: ABOUT } },
      { message, context: { tonTransaction, tonMessage: ABOUT } },
      { message, bitcoinConfig: {} },
    ]) {
      expect([body, (await waas(path, body)).status]).toEqual([body, 400]);
    }
    const nothing = Buffer.from('no cells').toString('base64');
    const context = { tonTransaction: { serializedTransaction: nothing } };
    const { status, body } = await waas(path, { message: nothing, context });
    expect([status, body.code]).toEqual([422, 'unsignable_request']);
    expect((await ledgerOf(shares.walletId, 'sign')).at(-1)).toMatchObject({ verdict: 'unsignable_request' });
    const other = await device.create('TWO_OF_TWO');
    const foreign = await waas(`${other.walletId}/signMessage`, { message, context: { tonTransaction } });
    expect(foreign.status).toBe(400);
    const { keygenIds: clientKeygenIds } = await KeyGeneration.begin('TWO_OF_TWO', 'TON');
    expect((await waas('create', { chain: 'TON', addressType: 'taproot', clientKeygenIds })).status).toBe(400);
  });

  it('signs for no other address than a rule allows and within its limit, decoded from the cells', async () => {
    const guarded = await World.create(test);
    const person = await guarded.signIn(newEmail());
    const shares = await new Device(guarded, person.jwt).create('TWO_OF_TWO', 'TON');
    const rule = {
      ...{ name: 'One address', ruleType: 'allow', chain: 'TON', addresses: [SOMEBODY.toString()] },
      valueLimit: { totalLimit: '12' },
    };
    await guarded.api.post(guarded.path('/waas/policies'), { rulesToAdd: [rule] }, { expect: 201 });
    const ask = async (to: Address, more: object = {}) => {
      const message = await unsigned(shares, to);
      const context = { tonTransaction: { serializedTransaction: message } };
      return waas(`${shares.walletId}/signMessage`, { message, context, ...more }, guarded, person.jwt);
    };
    expect((await ask(SOMEBODY_ELSE)).body.code).toBe('refused_by_signing_policy');
    // What is refused for another reason counts towards no limit.
    expect((await ask(SOMEBODY, { roomId: randomUUID() })).status).toBe(404);
    const full = { roomType: 'full', roomCount: 20 };
    await waas(`${shares.walletId}/createRooms`, full, guarded, person.jwt);
    expect((await ask(SOMEBODY)).body.code).toBe('too_many_rooms');
    await rowsOf(test, 'DELETE FROM ceremony_rooms WHERE user_id = $1', [person.userId]);
    expect((await ask(SOMEBODY)).status).toBe(200);
    expect((await ask(SOMEBODY)).status).toBe(200);
    expect((await ask(SOMEBODY)).body.code).toBe('refused_by_signing_policy');
    const text = { message: TEXT, context: { tonMessage: ABOUT } };
    const opaque = await waas(`${shares.walletId}/signMessage`, text, guarded, person.jwt);
    expect(opaque.body.code).toBe('refused_by_signing_policy');
    const trial = {
      walletId: shares.walletId,
      request: { kind: 'tonTransaction', transaction: await unsigned(shares) },
    };
    const { body } = await guarded.api.post<{ allowed: boolean; effects: object[] }>(
      guarded.path('/waas/policies/trial'),
      trial,
    );
    expect(body).toMatchObject({
      allowed: false,
      effects: [{ to: SOMEBODY.toString({ bounceable: false }), value: '5', allowed: false }],
    });
  });
});
