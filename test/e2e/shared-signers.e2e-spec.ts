import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageWithIntent } from '@mysten/sui/cryptography';
import { Ed25519PublicKey } from '@mysten/sui/keypairs/ed25519';
import { Transaction as SuiTransaction } from '@mysten/sui/transactions';
import { verifyPersonalMessageSignature, verifyTransactionSignature } from '@mysten/sui/verify';
import {
  address as addressOf,
  appendTransactionMessageInstruction,
  assertIsFullySignedTransaction,
  assertIsTransactionWithinSizeLimit,
  createKeyPairSignerFromPrivateKeyBytes,
  createSignableMessage,
  createTransactionMessage,
  isMessagePartialSigner,
  isTransactionPartialSigner,
  lamports,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  verifySignature,
  getPublicKeyFromAddress,
  type TransactionSigner,
} from '@solana/kit';
import { base58 } from '@scure/base';
import { LiteSVM, TransactionMetadata } from 'litesvm';
import { httpRooms, httpSignatures, SharedKey, type ShareSet } from '../../clients/custody/src/index.js';
import { solanaSigner, type SolanaSigner } from '../../clients/custody/src/solana.js';
import { suiSigner } from '../../clients/custody/src/sui.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const SYSTEM = addressOf('11111111111111111111111111111111');
const TO = addressOf('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const TEXT = 'I agree.';

type Unsigned = Parameters<typeof signTransactionMessageWithSigners>[0];

/** Of the system program, from whoever signs for it. */
function transfer(from: TransactionSigner, amount: bigint) {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(amount, 4);
  const accounts = [
    { address: from.address, role: 3, signer: from },
    { address: TO, role: 1 },
  ] as const;
  return { programAddress: SYSTEM, accounts, data: new Uint8Array(data) };
}

describe('a shared key as the signer that other packages ask for', () => {
  let test: TestApp;
  let world: World;
  let person: SignedIn;
  let solana: ShareSet;
  let sui: ShareSet;

  const keyOf = (shares: ShareSet, chain: 'SVM' | 'SUI'): SharedKey => {
    const at = { baseUrl: test.url, environmentId: world.environmentId, token: person.jwt };
    return new SharedKey(shares, chain, httpRooms(at), httpSignatures(at));
  };
  const signatures = async ({ walletId }: ShareSet): Promise<number> => {
    const sql = `SELECT id FROM key_ledger WHERE operation = 'sign' AND verdict = 'allowed' AND subject->>'walletId' = $1`;
    return (await rowsOf(test, sql, [walletId])).length;
  };

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    person = await world.signIn(newEmail());
    const device = new Device(world, person.jwt);
    solana = await device.create('TWO_OF_TWO');
    sui = await device.create('TWO_OF_THREE', 'SUI');
  });
  afterAll(() => test.close());

  describe('of @solana/kit', () => {
    const svm = new LiteSVM();
    let signer: SolanaSigner;

    const message = (payer: TransactionSigner, instruction: ReturnType<typeof transfer>): Unsigned => {
      const lifetime = { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 10n };
      return pipe(
        createTransactionMessage({ version: 0 }),
        (made) => setTransactionMessageFeePayerSigner(payer, made),
        (made) => setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
        (made) => appendTransactionMessageInstruction(instruction, made),
      );
    };

    beforeAll(() => {
      signer = solanaSigner(keyOf(solana, 'SVM'));
      svm.airdrop(signer.address, lamports(1_000_000_000n));
    });

    it('signs a transaction, which a validator runs', async () => {
      expect([isTransactionPartialSigner(signer), isMessagePartialSigner(signer)]).toEqual([true, true]);
      const signed = await signTransactionMessageWithSigners(message(signer, transfer(signer, 10_000_000n)));
      expect(svm.sendTransaction(signed)).toBeInstanceOf(TransactionMetadata);
      expect(svm.getBalance(TO)).toBe(10_000_000n);
    });

    it('signs one that somebody else pays for, before or after they have signed', async () => {
      const payer = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
      svm.airdrop(payer.address, lamports(1_000_000_000n));
      const before = svm.getBalance(TO)!;
      const together = await signTransactionMessageWithSigners(message(payer, transfer(signer, 1_000_000n)));
      expect(svm.sendTransaction(together)).toBeInstanceOf(TransactionMetadata);
      const unsigned = await partiallySignTransactionMessageWithSigners(message(payer, transfer(signer, 2_000_000n)));
      const { [payer.address]: theirs } = unsigned.signatures;
      const theirsAlone = { ...unsigned, signatures: { ...unsigned.signatures, [signer.address]: null } };
      assertIsTransactionWithinSizeLimit(theirsAlone);
      const [own] = await signer.signTransactions([theirsAlone]);
      const both = { ...unsigned, signatures: { ...unsigned.signatures, ...own, [payer.address]: theirs! } };
      assertIsFullySignedTransaction(both);
      expect(svm.sendTransaction(both)).toBeInstanceOf(TransactionMetadata);
      expect(svm.getBalance(TO)! - before).toBe(3_000_000n);
    });

    it('signs messages, one after the other', async () => {
      const messages = [TEXT, 'I agree as well.'].map((text) => createSignableMessage(text));
      const made = await signer.signMessages(messages);
      const publicKey = await getPublicKeyFromAddress(signer.address);
      for (const [at, { content }] of messages.entries())
        expect(await verifySignature(publicKey, made[at]![signer.address]!, content)).toBe(true);
    });

    it('opens no room when it was told to stop, or the transaction is not for it to sign', async () => {
      const before = await signatures(solana);
      const abortSignal = AbortSignal.abort(new Error('the window was closed'));
      const messages = [createSignableMessage(TEXT)];
      await expect(signer.signMessages(messages, { abortSignal })).rejects.toThrow('the window was closed');
      const other = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
      const foreign = await partiallySignTransactionMessageWithSigners(message(other, transfer(other, 1n)));
      assertIsTransactionWithinSizeLimit(foreign);
      await expect(signer.signTransactions([foreign])).rejects.toThrow('for no signature');
      expect(await signatures(solana)).toBe(before);
    });
  });

  describe('of @mysten/sui', () => {
    const signer = () => {
      const key = keyOf(sui, 'SUI');
      return suiSigner(key, new Ed25519PublicKey(key.publicKey));
    };
    const payment = () => {
      const transaction = new SuiTransaction();
      const digest = base58.encode(Buffer.alloc(32, 5));
      transaction.setGasPayment([{ objectId: `0x${'3'.repeat(64)}`, version: '1', digest }]);
      transaction.setGasPrice(1000);
      transaction.setGasBudget(1_000_000);
      const [coin] = transaction.splitCoins(transaction.gas, [transaction.pure.u64(5)]);
      transaction.transferObjects([coin], transaction.pure.address(`0x${'4'.repeat(64)}`));
      return transaction;
    };

    it('signs a transaction as its Transaction asks for it', async () => {
      const transaction = payment();
      transaction.setSender(sui.address);
      const { bytes, signature } = await transaction.sign({ signer: signer() });
      const publicKey = await verifyTransactionSignature(Buffer.from(bytes, 'base64'), signature);
      expect(publicKey.toSuiAddress()).toBe(sui.address);
    });

    it('hands a transaction to a node with the signature, as its sender', async () => {
      const sent: { transaction: Uint8Array; signatures: string[] }[] = [];
      const core = {
        resolveTransactionPlugin: () => (_data: unknown, _options: unknown, next: () => Promise<void>) => next(),
        executeTransaction: (one: (typeof sent)[number]) => {
          sent.push(one);
          return Promise.resolve({ transaction: { digest: 'a-digest' } });
        },
      };
      const done = await signer().signAndExecuteTransaction({ transaction: payment(), client: { core } as never });
      expect(done).toEqual({ digest: 'a-digest' });
      const [{ transaction, signatures: given }] = sent as [(typeof sent)[number]];
      const publicKey = await verifyTransactionSignature(transaction, given[0]!);
      expect(publicKey.toSuiAddress()).toBe(SuiTransaction.from(transaction).getData().sender);
    });

    it('signs a message of any length, said with its intent as well', async () => {
      for (const content of [TEXT, TEXT.repeat(40)].map((text) => new TextEncoder().encode(text))) {
        const { bytes, signature } = await signer().signPersonalMessage(content);
        expect(Buffer.from(bytes, 'base64').equals(content)).toBe(true);
        const publicKey = await verifyPersonalMessageSignature(content, signature);
        expect(publicKey.toSuiAddress()).toBe(sui.address);
      }
      const content = new TextEncoder().encode(TEXT);
      const vector = Uint8Array.from([content.length, ...content]);
      expect(messageWithIntent('PersonalMessage', vector)).toHaveLength(vector.length + 3);
      const { signature } = await signer().signWithIntent(vector, 'PersonalMessage');
      expect((await verifyPersonalMessageSignature(content, signature)).toSuiAddress()).toBe(sui.address);
    });

    it('signs no bytes that nobody can read, no other intent, and no vector that is none', async () => {
      const before = await signatures(sui);
      await expect(signer().sign(new Uint8Array(32))).rejects.toThrow('cannot be read');
      await expect(signer().signWithIntent(new Uint8Array(32), 'TransactionEffects')).rejects.toThrow('as');
      await expect(signer().signWithIntent(Uint8Array.of(5, 1), 'PersonalMessage')).rejects.toThrow('no vector');
      expect(await signatures(sui)).toBe(before);
    });

    it('is made for the wallet alone whose key it has', () => {
      const other = new Ed25519PublicKey(keyOf(solana, 'SVM').publicKey);
      expect(() => suiSigner(keyOf(sui, 'SUI'), other)).toThrow('another wallet');
      expect(() => keyOf(solana, 'SUI')).toThrow('no wallet on SUI');
    });
  });

  it('says what the service refuses in its words', async () => {
    const at = { baseUrl: test.url, environmentId: world.environmentId, token: person.jwt };
    const open = httpSignatures(at);
    const key = new SharedKey(solana, 'SVM', httpRooms(at), (_, request) => open(sui.walletId, request));
    await expect(key.sign('message', new TextEncoder().encode(TEXT))).rejects.toThrow('another message');
    await expect(key.sign('transaction', Uint8Array.of(1, 2, 3))).rejects.toThrow();
    const nobody = httpSignatures({ ...at, token: 'x' });
    await expect(nobody(solana.walletId, { message: TEXT })).rejects.toThrow();
  });
});
