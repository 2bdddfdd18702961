import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  parseGwei,
  parseTransaction,
  recoverMessageAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  toRlp,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  sealBackup,
  openBackup,
  SplitGeneration,
  type OpenedRoom,
  type Rooms,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { splitAccount } from '../../clients/custody/src/split/viem.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork } from '../support/chain-tenant.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Device, roomsOf } from '../support/shared-wallet.js';
import { DIGEST, SplitWallets, TEXT, type SplitAnswer } from '../support/split-wallets.js';
import { World } from '../support/world.js';

describe('a wallet whose key its device splits', () => {
  let test: TestApp;
  let world: World;
  let split: SplitWallets;
  let evm: ShareSet;
  let anvil: Anvil;

  const accountOf = (shares: ShareSet, rooms: Rooms = roomsOf(world, split.owner.jwt)) =>
    splitAccount(
      {
        rooms,
        environmentId: world.environmentId,
        openSigning: async (walletId, request): Promise<OpenedRoom> => {
          const { status, body } = await split.waas(`${walletId}/signMessage`, request);
          expect([status, body.code]).toEqual([200, undefined]);
          return body;
        },
      },
      shares,
    );

  beforeAll(async () => {
    [test, anvil] = await Promise.all([startTestApp(), Anvil.start()]);
    world = await World.create(test);
    await addNetwork(world, 'EVM', 31_337, anvil.url);
    split = await SplitWallets.of(world);
    evm = await split.make();
  }, 120_000);
  afterAll(async () => {
    await test?.close();
    await anvil?.close();
  });

  it.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'is made by %s, shown with its version, and signs with one device',
    async (scheme) => {
      const shares = await split.make(scheme);
      const detail = await world.api.get<{ wallet: Record<string, unknown> }>(world.path(`/waas/${shares.walletId}`));
      expect(detail.body.wallet).toMatchObject({ thresholdSignatureScheme: scheme, chainName: 'EVM' });
      const { body } = await world.api.get<{ user: { wallets: { id: string; properties: object }[] } }>(
        world.path(`/users/${split.owner.userId}`),
      );
      const shown = body.user.wallets.find(({ id }) => id === shares.walletId);
      expect(shown).toMatchObject({ chain: 'EVM', publicKey: shares.address, properties: { version: 'V2' } });
      // With or without the checksum of EIP-55.
      for (const address of [shares.address, shares.address.toLowerCase()]) {
        const own = await world.anonymous.get<{ verifiedCredentials: object[] }>(
          world.sdk(`/waas/byWalletAddress/${address}`),
          { token: split.owner.jwt, expect: 200 },
        );
        expect(own.body.verifiedCredentials).toMatchObject([{ address: shares.address }]);
      }
      const one = { ...shares, secrets: shares.secrets.slice(0, 1) };
      const signed = await split.sign(one);
      const signer = await recoverMessageAddress({ message: TEXT, signature: signed.signature });
      expect(signer).toBe(shares.address);
      expect(await split.ledgerOf(shares.walletId)).toMatchObject([
        { operation: 'create', verdict: 'allowed', subject: { protocol: 'SHAMIR', scheme } },
        { operation: 'sign', verdict: 'released', digest: Buffer.from(DIGEST) },
        { operation: 'sign', verdict: 'allowed', digest: Buffer.from(DIGEST) },
      ]);
      const events = (await eventsOf(test, world.environmentId, shares.walletId)).map(({ name }) => name);
      expect(events).toEqual(expect.arrayContaining(['wallet.created', 'wallet.signed']));
    },
  );

  it('signs messages, typed data and transactions as an account of viem, and anvil runs them', async () => {
    const account = accountOf(evm);
    const raw = '0x00ff' as const;
    const signature = await account.signMessage({ message: { raw } });
    expect(await recoverMessageAddress({ message: { raw }, signature })).toBe(evm.address);
    const typed = {
      types: { Mail: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Mail',
      domain: { name: 'Post', chainId: 31_337 },
      message: { amount: 10n ** 30n },
    } as const;
    const sealed = await account.signTypedData(typed);
    expect(await recoverTypedDataAddress({ ...typed, signature: sealed })).toBe(evm.address);
    await anvil.setBalance(evm.address as Hex, 10n ** 18n);
    const to = privateKeyToAccount(`0x${'07'.repeat(32)}`).address;
    const serializedTransaction = await account.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, to, value: 5n, nonce: 0, gas: 21_000n },
      ...{ maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: 1n },
    });
    const hash = await anvil.client.sendRawTransaction({ serializedTransaction });
    const receipt = await anvil.client.waitForTransactionReceipt({ hash });
    expect([receipt.status, receipt.from]).toEqual(['success', evm.address.toLowerCase()]);
  });

  it('signs nothing that differs from what it is said to be', async () => {
    const to = privateKeyToAccount(`0x${'07'.repeat(32)}`).address;
    const message = serializeTransaction({ type: 'eip1559', chainId: 31_337, to, value: 5n });
    expect(parseTransaction(message).value).toBe(5n);
    const endless = toRlp(['0x', '0x01', '0x5208', to, '0x', '0x', `0x${'ff'.repeat(200)}`, '0x', '0x']);
    const types = { Mail: [{ name: 'amount', type: 'uint256' }] };
    const typed = { types, primaryType: 'Mail', domain: { name: 'Post', chainId: 31_337 }, message: { amount: '1' } };
    for (const body of [
      { message, context: { evmTransaction: { to, chainId: 31_337, value: '6' } } },
      { message, context: { evmTransaction: { to: evm.address, chainId: 31_337 } } },
      { message, context: { evmTransaction: { to, chainId: 1 } } },
      { message: endless, context: { evmTransaction: { to, chainId: 1 } } },
      { message: TEXT, context: { evmMessage: 'I do not.' } },
      { message: TEXT, context: { svmMessage: TEXT } },
      { message: `0x${'00'.repeat(32)}`, context: { evmTypedData: typed } },
    ]) {
      expect((await split.waas(`${evm.walletId}/signMessage`, body)).status).toBe(400);
    }
    const garbage = { message: '0x02ff', context: { evmTransaction: { to, chainId: 31_337 } } };
    expect((await split.waas(`${evm.walletId}/signMessage`, garbage)).body.code).toBe('unsignable_request');
  });

  it('signs 30 times a minute at most, what is refused among them', async () => {
    const env = { ROLE: 'api', RATE_LIMIT_SCALE: '1' };
    const limited = await startTestApp({ env, databaseUrl: test.databaseUrl });
    try {
      const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
      const path = there.sdk(`/waas/${evm.walletId}/signMessage`);
      // Opens no room, of which there are too many before.
      const garbage = { message: '0x02ff', context: { evmTransaction: { to: evm.address, chainId: 31_337 } } };
      const ask = () => there.anonymous.post<SplitAnswer>(path, garbage, { token: split.owner.jwt });
      const codes = (await Promise.all(Array.from({ length: 35 }, ask))).map(({ body }) => body.code);
      expect(codes.filter((code) => code === 'unsignable_request')).toHaveLength(30);
      expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(5);
    } finally {
      await limited.close();
    }
  });

  it('names the share or commitment that was tampered with while it is made, and is not made', async () => {
    const person = await split.someone();
    const deal = async () => {
      const { generation, opened } = await split.openKeygen('THREE_OF_FIVE', person);
      const room = { environmentId: world.environmentId, roomId: opened.roomId };
      const { message } = await generation.deal(room, opened);
      return { roomId: opened.roomId, message: message as Record<string, never> };
    };
    const [one, two] = [await deal(), await deal()];
    const { shares, commitments } = one.message as unknown as { shares: object[]; commitments: string[] };
    const foreign = two.message as unknown as { shares: object[]; commitments: string[] };
    const swapped = await split.post(
      one.roomId,
      { ...one.message, shares: [shares[0], foreign.shares[1]] },
      person.jwt,
    );
    expect([swapped.body.code, swapped.body.payload?.party]).toEqual(['ceremony_aborted', 5]);
    const replaced = { ...foreign, commitments: [foreign.commitments[0], ...commitments.slice(1)] };
    const refused = await split.post(two.roomId, replaced, person.jwt);
    expect([refused.body.code, refused.body.payload?.reason]).toEqual([
      'ceremony_aborted',
      'the signature is not one of the key that was dealt',
    ]);
    const count = 'SELECT count(*)::int AS count FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, count, [person.userId])).toEqual([{ count: 0 }]);
  });

  it('comes back from a backup that the service keeps, and signs', async () => {
    const person = await split.someone();
    const shares = await split.make('TWO_OF_TWO', person);
    const lock = { secret: new Uint8Array(32).fill(3) };
    const encryptedAccountCredentials = [await sealBackup(shares, lock)];
    const backup = { encryptedAccountCredentials, passwordEncrypted: false };
    expect((await split.waas(`${shares.walletId}/keyShares/backup`, backup, person.jwt)).status).toBeLessThan(300);
    const back = await openBackup(encryptedAccountCredentials[0]!, lock);
    const signed = await split.sign(back, person);
    expect(await recoverMessageAddress({ message: TEXT, signature: signed.signature })).toBe(shares.address);
  });

  it('has a second lock for copies that are kept elsewhere, and no passcode', async () => {
    const person = await split.someone();
    const { walletId } = await split.make('TWO_OF_TWO', person);
    const read = (path: 'backup' | 'passcode', query = '') =>
      world.anonymous.get<SplitAnswer & { secret: string }>(world.sdk(`/users/embeddedWallets/${path}${query}`), {
        token: person.jwt,
      });
    const { status, body } = await read('backup');
    expect([status, body.walletId]).toEqual([200, walletId]);
    expect((await read('backup', `?walletId=${walletId}`)).body.secret).toBe(body.secret);
    expect((await read('passcode', `?walletId=${walletId}`)).body.code).toBe('wallet_passcode_missing');
    const asked = (await split.ledgerOf(walletId)).filter(({ operation }) => operation === 'recover');
    expect(asked.map(({ subject }) => subject['protocol'])).toEqual(['SHAMIR', 'SHAMIR']);
  });

  it('has its shares made anew by this scheme and by others with one address, and no older share leaves', async () => {
    const person = await split.someone();
    const device = new Device(world, person.jwt);
    const signs = async (shares: ShareSet): Promise<string> => {
      const { signature } = await split.sign(shares, person);
      return recoverMessageAddress({ message: TEXT, signature });
    };
    const first = await split.make('TWO_OF_TWO', person);
    const waiting = await split.begin(first, { message: TEXT }, person);
    await rowsOf(test, "UPDATE ceremony_rooms SET expires_at = now() + interval '1 hour' WHERE id = $1", [waiting]);
    const sets = [first];
    for (const scheme of [undefined, 'TWO_OF_THREE', 'TWO_OF_TWO'] as const) {
      const old = sets.at(-1)!;
      const anew = await device.renew(old, scheme);
      expect([anew.address, anew.generation]).toEqual([first.address, sets.length + 1]);
      expect(await signs(anew)).toBe(first.address);
      await expect(signs(old)).rejects.toMatchObject({ name: 'OtherGeneration' });
      sets.push(anew);
    }
    const late = await split.post(waiting, await split.askForKey(), person.jwt);
    expect([late.status, late.body.code, late.body.messages]).toEqual([409, 'key_shares_changed', undefined]);
    expect((await split.verdictsOf(first.walletId)).at(-1)).toBe('key_shares_changed');
    const told = (await split.ledgerOf(first.walletId)).filter(({ operation }) => /^re(fresh|share)$/.test(operation));
    expect(told.map(({ operation, subject }) => [operation, subject['protocol'], subject['generation']])).toEqual([
      ['refresh', 'SHAMIR', 2],
      ['reshare', 'SHAMIR', 3],
      ['reshare', 'SHAMIR', 4],
    ]);
    const kept = 'SELECT protocol, generation FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, kept, [person.userId])).toEqual([{ protocol: 'SHAMIR', generation: 4 }]);
    const events = (await eventsOf(test, world.environmentId, first.walletId)).map(({ name }) => name);
    expect(events.filter((name) => name === 'wallet.reshared')).toHaveLength(3);
    expect(events).toContain('wallet.keyReleased');
  });

  it('asks for a proof before its scheme gives the user enough shares for the whole key', async () => {
    const { keygenIds: clientKeygenIds } = await SplitGeneration.begin('TWO_OF_THREE');
    const schemes = { oldThresholdSignatureScheme: 'TWO_OF_TWO', newThresholdSignatureScheme: 'TWO_OF_THREE' };
    const reshared = await split.waas(`${evm.walletId}/reshare`, { clientKeygenIds, ...schemes });
    expect([reshared.status, reshared.body.code]).toEqual([403, 'fresh_proof_required']);
  });

  it('keeps no share in the clear, and loses the service’s with the wallet', async () => {
    for (const table of ['key_share_sets', 'ceremony_rooms', 'ceremony_messages', 'key_ledger', 'events']) {
      const rows = await rowsOf<{ text: string }>(test, `SELECT t::text AS text FROM ${table} t`, []);
      for (const { share } of evm.secrets) expect(rows.some(({ text }) => text.includes(share))).toBe(false);
    }
    const person = await split.someone();
    const shares = await split.make('TWO_OF_TWO', person);
    const roomId = await split.begin(shares, { message: TEXT }, person);
    await world.api.delete(world.path(`/users/${person.userId}`), { expect: 204 });
    expect((await split.post(roomId, await split.askForKey(), person.jwt)).status).toBeGreaterThanOrEqual(400);
    const count = 'SELECT count(*)::int AS count FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, count, [person.userId])).toEqual([{ count: 0 }]);
  });
});
