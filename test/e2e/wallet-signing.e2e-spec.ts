import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Transaction as SuiTransaction } from '@mysten/sui/transactions';
import { verifyPersonalMessageSignature, verifyTransactionSignature } from '@mysten/sui/verify';
import { base58 } from '@scure/base';
import {
  address as solanaAddressOf,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { address as bitcoinAddresses, Psbt } from 'bitcoinjs-lib';
import { LiteSVM, TransactionMetadata } from 'litesvm';
import * as secp256k1 from 'tiny-secp256k1';
import {
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type Address,
  type Hex,
} from 'viem';
import { WalletSigner } from '../../src/custody/signer/wallet-signer.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { newEmail, World } from '../support/world.js';

interface WalletJson {
  id: string;
  chain: 'EVM' | 'SOL' | 'SUI' | 'BTC';
  publicKey: string;
  properties: { claimed: boolean };
}
interface Signed {
  code?: string;
  payload?: { reason?: string; networkId?: number };
  signature?: string;
  signedTransaction?: string;
  digest: string;
}

const ANVIL = 31_337;
const CALLERS = 50;

describe('an embedded wallet', () => {
  let test: TestApp;
  let world: World;
  let jwt: string;
  let userId: string;
  let wallets: Record<WalletJson['chain'], WalletJson>;

  const walletsOf = async (id: string): Promise<WalletJson[]> =>
    (await world.api.get<{ user: { wallets: WalletJson[] } }>(world.path(`/users/${id}`))).body.user.wallets;
  const sign = (walletId: string, body: object, token = jwt) =>
    world.anonymous.post<Signed>(world.sdk(`/users/embeddedWallets/${walletId}/sign`), body, { token });
  const signed = async (chain: WalletJson['chain'], body: object): Promise<Signed> => {
    const { status, body: answer } = await sign(wallets[chain].id, body);
    expect([status, answer.code]).toEqual([200, undefined]);
    return answer;
  };
  const ledgerOf = (walletId: string) =>
    rowsOf<{ verdict: string; reason: string; digest: Buffer | null; actor: { sessionId?: string; id: string } }>(
      test,
      `SELECT verdict, reason, digest, actor FROM key_ledger
       WHERE environment_id = $1 AND operation = 'sign' AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, walletId],
    );
  const newOwner = async () => {
    const person = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL', 'SUI', 'BTC'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    return { ...person, wallets: await walletsOf(person.userId) };
  };

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    const owner = await newOwner();
    ({ jwt, userId } = owner);
    wallets = Object.fromEntries(owner.wallets.map((one) => [one.chain, one])) as typeof wallets;
  });
  afterAll(() => test.close());

  describe('signs what libraries of its chain verify', () => {
    it('on EVM: a message, and typed data of an enabled network', async () => {
      const address = wallets.EVM.publicKey;
      const { signature, digest } = await signed('EVM', { kind: 'message', message: 'I agree ✓' });
      expect(await recoverMessageAddress({ message: 'I agree ✓', signature: signature as Hex })).toBe(address);
      const raw: Hex = `0x${'ab'.repeat(32)}`;
      const bytes = await signed('EVM', { kind: 'message', message: raw, encoding: 'hex' });
      const ofBytes = { message: { raw }, signature: bytes.signature as Hex };
      expect(await recoverMessageAddress(ofBytes)).toBe(address);
      const typedData = {
        types: { Vote: [{ name: 'choice', type: 'uint8' }] },
        primaryType: 'Vote',
        domain: { name: 'Poll', chainId: 1 },
        message: { choice: 2 },
      } as const;
      const vote = await signed('EVM', { kind: 'typedData', typedData });
      expect(await recoverTypedDataAddress({ ...typedData, signature: vote.signature as Hex })).toBe(address);
      const [first] = await ledgerOf(wallets.EVM.id);
      expect(first).toMatchObject({ verdict: 'allowed', reason: 'message', actor: { id: userId } });
      expect(first!.digest!.toString('hex')).toBe(digest);
    });

    it('on EVM: a transaction, which a chain takes', async () => {
      const anvil = await Anvil.start();
      try {
        const network = { ...customNetwork('anvil'), chainId: String(ANVIL) };
        const networks = `/organizations/${world.ids.organizationId}/customNetworks`;
        await world.owner.post(networks, network, { expect: 201 });
        const from = wallets.EVM.publicKey as Address;
        const to: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
        await anvil.setBalance(from, parseEther('2'));
        const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 21_000n };
        const transaction = serializeTransaction({ chainId: ANVIL, nonce: 0, to, value: 12_345n, ...fees });
        const before = await anvil.client.getBalance({ address: to });
        const { signedTransaction } = await signed('EVM', { kind: 'evmTransaction', transaction });
        const hash = await anvil.client.sendRawTransaction({ serializedTransaction: signedTransaction as Hex });
        const receipt = await anvil.client.waitForTransactionReceipt({ hash });
        expect([receipt.status, receipt.from]).toEqual(['success', from.toLowerCase()]);
        expect((await anvil.client.getBalance({ address: to })) - before).toBe(12_345n);
      } finally {
        await anvil.close();
      }
    }, 30_000);

    it('on Solana: a transaction, which a validator runs', async () => {
      const svm = new LiteSVM();
      const from = solanaAddressOf(wallets.SOL.publicKey);
      const to = solanaAddressOf('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
      svm.airdrop(from, lamports(1_000_000_000n));
      const data = Buffer.alloc(12);
      data.writeUInt32LE(2);
      data.writeBigUInt64LE(10_000_000n, 4);
      const transaction = compileTransaction(
        pipe(
          createTransactionMessage({ version: 0 }),
          (message) => setTransactionMessageFeePayer(from, message),
          (message) =>
            setTransactionMessageLifetimeUsingBlockhash(
              { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 10n },
              message,
            ),
          (message) =>
            appendTransactionMessageInstruction(
              {
                programAddress: solanaAddressOf('11111111111111111111111111111111'),
                accounts: [
                  { address: from, role: 3 },
                  { address: to, role: 1 },
                ],
                data: new Uint8Array(data),
              },
              message,
            ),
        ),
      );
      const wire = Buffer.from(getTransactionEncoder().encode(transaction)).toString('base64');
      const { signedTransaction } = await signed('SOL', { kind: 'solanaTransaction', transaction: wire });
      const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(signedTransaction!));
      expect(svm.sendTransaction(decoded)).toBeInstanceOf(TransactionMetadata);
      expect(svm.getBalance(to)).toBe(10_000_000n);
    });

    it('on Sui: a message and a transaction', async () => {
      const sender = wallets.SUI.publicKey;
      const { signature } = await signed('SUI', { kind: 'message', message: 'I agree.' });
      const verified = await verifyPersonalMessageSignature(new TextEncoder().encode('I agree.'), signature!);
      expect(verified.toSuiAddress()).toBe(sender);
      const transaction = new SuiTransaction();
      transaction.setSender(sender);
      const digest = base58.encode(Buffer.alloc(32, 5));
      transaction.setGasPayment([{ objectId: `0x${'3'.repeat(64)}`, version: '1', digest }]);
      transaction.setGasPrice(1000);
      transaction.setGasBudget(1_000_000);
      const [coin] = transaction.splitCoins(transaction.gas, [transaction.pure.u64(5)]);
      transaction.transferObjects([coin], transaction.pure.address(`0x${'4'.repeat(64)}`));
      const bytes = await transaction.build();
      const body = { kind: 'suiTransaction', transaction: Buffer.from(bytes).toString('base64') };
      const of = await verifyTransactionSignature(bytes, (await signed('SUI', body)).signature!);
      expect(of.toSuiAddress()).toBe(sender);
    });

    it('on Bitcoin: a PSBT', async () => {
      const address = wallets.BTC.publicKey;
      const witnessUtxo = { script: bitcoinAddresses.toOutputScript(address), value: 50_000n };
      const psbt = new Psbt().addInput({ hash: Buffer.alloc(32, 3), index: 1, witnessUtxo });
      psbt.addOutput({ address, value: 40_000n });
      const { signedTransaction } = await signed('BTC', { kind: 'psbt', transaction: psbt.toBase64() });
      const finished = Psbt.fromBase64(signedTransaction!);
      const isValid = finished.validateSignaturesOfAllInputs((key, hash, made) => secp256k1.verify(hash, key, made));
      expect(isValid).toBe(true);
      expect(finished.finalizeAllInputs().extractTransaction().ins).toHaveLength(1);
    });
  });

  describe('refuses, and the ledger says so', () => {
    const to: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const on = (chainId: number) => serializeTransaction({ chainId, to, gas: 21_000n, maxFeePerGas: 1n });

    it.each<[string, object, string]>([
      ['a digest', { kind: 'evmTransaction', transaction: `0x${'ab'.repeat(32)}` }, 'unsignable_request'],
      ['a kind of another chain', { kind: 'psbt', transaction: 'cHNidP8=' }, 'unsignable_request'],
      [
        'a chain with a number that is rounded',
        {
          kind: 'evmTransaction',
          transaction: '0xe60101825208941111111111111111111111111111111111111111018087200000000000018080',
        },
        'unsignable_request',
      ],
      [
        'typed data that does not fit its types',
        {
          kind: 'typedData',
          typedData: {
            types: { Vote: [{ name: 'why', type: 'bytes' }] },
            ...{ primaryType: 'Vote', domain: { chainId: 1 }, message: { why: 'hello' } },
          },
        },
        'unsignable_request',
      ],
      ['a network that nobody knows', { kind: 'evmTransaction', transaction: on(987_654_321) }, 'network_not_allowed'],
      ['a test network that is not enabled', { kind: 'evmTransaction', transaction: on(97) }, 'network_not_allowed'],
      [
        'typed data for another network',
        {
          kind: 'typedData',
          typedData: {
            types: { Vote: [{ name: 'choice', type: 'uint8' }] },
            primaryType: 'Vote',
            domain: { chainId: 987_654_321 },
            message: { choice: 1 },
          },
        },
        'network_not_allowed',
      ],
    ])('%s', async (_, body, code) => {
      const before = (await ledgerOf(wallets.EVM.id)).length;
      expect(await sign(wallets.EVM.id, body)).toMatchObject({ status: 422, body: { code } });
      const rows = await ledgerOf(wallets.EVM.id);
      expect(rows).toHaveLength(before + 1);
      expect(rows.at(-1)!.verdict).toBe(code);
    });

    it.each<[string, object]>([
      ['no message', { kind: 'message' }],
      ['a message beside a transaction', { kind: 'evmTransaction', transaction: '0x', message: 'x' }],
      ['what is not hexadecimal', { kind: 'evmTransaction', transaction: 'zz' }],
      ['what is not base64', { kind: 'psbt', transaction: '!' }],
      ['a message that is not', { kind: 'message', message: '0xf', encoding: 'hex' }],
      ['typed data in another form', { kind: 'typedData', typedData: { types: [] } }],
      ['an unknown kind', { kind: 'digest', message: 'x' }],
    ])('%s, with 400 and before anything is written', async (_, body) => {
      const before = (await ledgerOf(wallets.EVM.id)).length;
      expect(await sign(wallets.EVM.id, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(await ledgerOf(wallets.EVM.id)).toHaveLength(before);
    });

    it('whoever is not its user, and everybody while it is hidden', async () => {
      const [owner, stranger] = [await newOwner(), await newOwner()];
      const walletId = owner.wallets[0]!.id;
      const body = { kind: 'message', message: 'x' };
      expect((await sign(walletId, body, stranger.jwt)).status).toBe(404);
      const hidden = world.sdk(`/users/embeddedWallets/${walletId}/softDelete`);
      await world.anonymous.delete(hidden, { token: owner.jwt, expect: 204 });
      expect((await sign(walletId, body, owner.jwt)).status).toBe(404);
      expect(await ledgerOf(walletId)).toEqual([]);
    });

    it('30 signatures later, until the minute is over', async () => {
      const limited = await startTestApp({
        env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' },
        databaseUrl: test.databaseUrl,
      });
      try {
        const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
        const path = there.sdk(`/users/embeddedWallets/${wallets.EVM.id}/sign`);
        const body = { kind: 'message', message: 'x' };
        const calls = Array.from({ length: 40 }, () => there.anonymous.post<Signed>(path, body, { token: jwt }));
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(30);
        expect(statuses.filter((status) => status === 429)).toHaveLength(10);
        // They are the user's own: nobody else has fewer.
        const other = await newOwner();
        const theirs = there.sdk(`/users/embeddedWallets/${other.wallets[0]!.id}/sign`);
        await there.anonymous.post(theirs, body, { token: other.jwt, expect: 200 });
      } finally {
        await limited.close();
      }
    });
  });

  it(`is hidden beside ${CALLERS} signatures: none is answered afterwards`, async () => {
    const owner = await newOwner();
    const [wallet] = owner.wallets;
    const body = { kind: 'message', message: 'x' };
    const hide = () =>
      world.anonymous.delete(world.sdk(`/users/embeddedWallets/${wallet!.id}/softDelete`), { token: owner.jwt });
    const calls = Array.from({ length: CALLERS }, () => sign(wallet!.id, body, owner.jwt));
    const [hidden, ...answers] = await Promise.all([hide(), ...calls]);
    expect(hidden.status).toBe(204);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
    expect((await sign(wallet!.id, body, owner.jwt)).status).toBe(404);
    const rows = await ledgerOf(wallet!.id);
    expect(rows.filter(({ verdict }) => verdict === 'allowed')).toHaveLength(
      statuses.filter((status) => status === 200).length,
    );
  });

  it('is hidden while a signature is made: nobody gets that, and its row says so', async () => {
    const owner = await newOwner();
    const [wallet] = owner.wallets;
    const signer = test.app.get(WalletSigner, { strict: false });
    const make = signer.sign.bind(signer);
    const made = jest.spyOn(signer, 'sign').mockImplementationOnce(async (...asked) => {
      const signature = await make(...asked);
      const hidden = world.sdk(`/users/embeddedWallets/${wallet!.id}/softDelete`);
      await world.anonymous.delete(hidden, { token: owner.jwt, expect: 204 });
      return signature;
    });
    const { status, body } = await sign(wallet!.id, { kind: 'message', message: 'x' }, owner.jwt);
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
    expect([status, body.signature]).toEqual([404, undefined]);
    expect(await ledgerOf(wallet!.id)).toMatchObject([{ verdict: 'not_found' }]);
  });

  describe('that was made ahead', () => {
    const made = async () => {
      const email = newEmail();
      const request = { identifier: email, type: 'email', chains: ['EVM', 'SOL'] };
      await world.api.post(world.path('/embeddedWallets'), request, { expect: 201 });
      const person = await world.signIn(email);
      return { ...person, wallets: await walletsOf(person.userId) };
    };
    const claim = (walletId: string, token: string) =>
      world.anonymous.put<{ code?: string; user: { verifiedCredentials: Record<string, unknown>[] } }>(
        world.sdk('/users/embeddedWallets/passcode/claim'),
        { walletId },
        { token },
      );
    const body = { kind: 'message', message: 'x' };

    it('signs nothing before its user has claimed it', async () => {
      const owner = await made();
      const [evm, sol] = owner.wallets;
      expect(await sign(evm!.id, body, owner.jwt)).toMatchObject({ status: 422, body: { code: 'wallet_not_claimed' } });
      const { status, body: answer } = await claim(evm!.id, owner.jwt);
      expect(status).toBe(200);
      const credential = answer.user.verifiedCredentials.find(({ address }) => address === evm!.publicKey);
      expect(credential).toMatchObject({ wallet_properties: { claimed: true } });
      expect((await walletsOf(owner.userId)).map(({ properties }) => properties.claimed)).toEqual([true, false]);
      expect((await sign(evm!.id, body, owner.jwt)).status).toBe(200);
      expect((await sign(sol!.id, body, owner.jwt)).status).toBe(422);
    });

    it(`is claimed once by ${CALLERS} at once, which are all told that it is theirs`, async () => {
      const owner = await made();
      const { id } = owner.wallets[0]!;
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => claim(id, owner.jwt)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const told = (await eventsOf(test, world.environmentId, owner.userId)).filter(
        ({ name }) => name === 'user.updated',
      );
      expect(told).toHaveLength(1);
    });

    it('is claimed by nobody else', async () => {
      const [owner, stranger] = [await made(), await made()];
      for (const id of [owner.wallets[0]!.id, world.environmentId]) {
        expect(await claim(id, stranger.jwt)).toMatchObject({ status: 422, body: { code: 'invalid_wallet_id' } });
      }
      expect((await walletsOf(owner.userId))[0]!.properties.claimed).toBe(false);
    });

    it('is claimed by nobody while it is hidden, not even again', async () => {
      const owner = await made();
      const [evm, sol] = owner.wallets;
      expect((await claim(evm!.id, owner.jwt)).status).toBe(200);
      for (const { id } of [evm!, sol!]) {
        const hidden = world.sdk(`/users/embeddedWallets/${id}/softDelete`);
        await world.anonymous.delete(hidden, { token: owner.jwt, expect: 204 });
        expect(await claim(id, owner.jwt)).toMatchObject({ status: 422, body: { code: 'invalid_wallet_id' } });
      }
    });
  });
});
