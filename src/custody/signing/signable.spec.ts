import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction as SuiTransaction } from '@mysten/sui/transactions';
import { verifyPersonalMessageSignature, verifyTransactionSignature } from '@mysten/sui/verify';
import { base58, createBase58check } from '@scure/base';
import {
  address as solanaAddressOf,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64Encoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signatureBytes,
  verifySignature,
  createKeyPairFromPrivateKeyBytes,
} from '@solana/kit';
import { payments, Psbt, Transaction } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { worked } from '../../../test/support/worked.js';
import { sha256, sized } from './bitcoin-script.js';
import { ByteReader } from './byte-reader.js';
import { readSignable } from './read-signable.js';
import type { SigningRequest } from './signing-request.js';
import { addressOf, keyOf, message, refusal, sign, text } from './signing.fixture.js';

describe('on Solana', () => {
  const compiled = (payer: string, version: 'legacy' | 0 | 1 = 0, named?: string) =>
    compileTransaction(
      pipe(
        createTransactionMessage({ version }),
        (one) => setTransactionMessageFeePayer(solanaAddressOf(payer), one),
        (one) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: blockhash('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N'), lastValidBlockHeight: 1n },
            one,
          ),
        (one) =>
          appendTransactionMessageInstruction(
            {
              programAddress: solanaAddressOf('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
              accounts: named ? [{ address: solanaAddressOf(named), role: 0 }] : [],
              data: new Uint8Array(Buffer.from('hello')),
            },
            one,
          ),
      ),
    );
  const wire = (payer: string, version?: 'legacy' | 0, named?: string) =>
    Buffer.from(getTransactionEncoder().encode(compiled(payer, version, named)));
  const wired = () => Buffer.from(compiled(addressOf('SOL')).messageBytes);
  const changed = (at: number, byte: number): SigningRequest => {
    const transaction = wire(addressOf('SOL'));
    transaction[at] = byte;
    return { kind: 'solanaTransaction', transaction };
  };

  it('a message, verified by @solana/kit', async () => {
    const { signature } = sign('SOL', message(text));
    const publicKey = await getPublicKeyFromAddress(solanaAddressOf(addressOf('SOL')));
    expect(await verifySignature(publicKey, signatureBytes(base58.decode(signature!)), new Uint8Array(text))).toBe(
      true,
    );
  });

  it.each([
    ['a text that begins with a letter of several bytes', Buffer.from('é'.repeat(60))],
    ['64 bytes, which are too few for a transaction', Buffer.alloc(64, 0x81)],
    ['a message that is marked as none of a transaction', Buffer.alloc(90, 0xff)],
  ])('%s', (_, bytes) => expect(refusal('SOL', message(bytes))).toBe('accepted'));

  it.each(['legacy', 0] as const)('a transaction of version %s, as @solana/kit signs it', async (version) => {
    const transaction = wire(addressOf('SOL'), version);
    const { signedTransaction } = sign('SOL', { kind: 'solanaTransaction', transaction });
    const keys = await createKeyPairFromPrivateKeyBytes(new Uint8Array(keyOf('SOL')));
    const expected = await partiallySignTransaction(
      [keys],
      getTransactionDecoder().decode(new Uint8Array(transaction)),
    );
    expect(new Uint8Array(getBase64Encoder().encode(signedTransaction!))).toEqual(
      new Uint8Array(getTransactionEncoder().encode(expected)),
    );
  });

  it.each<[string, () => SigningRequest, RegExp]>([
    [
      'a message that is a transaction',
      () => message(new Uint8Array(compiled(addressOf('SOL')).messageBytes)),
      /is a transaction/,
    ],
    [
      'a message that is a transaction of version 1',
      () => message(new Uint8Array(compiled(addressOf('SOL'), 1).messageBytes)),
      /of a later version/,
    ],
    ['a message that is one with its signatures', () => message(wire(addressOf('SOL'))), /is a transaction/],
    [
      'a transaction of somebody else',
      () => ({ kind: 'solanaTransaction', transaction: wire('11111111111111111111111111111112') }),
      /not among its signers/,
    ],
    [
      'half a transaction',
      () => ({ kind: 'solanaTransaction', transaction: wire(addressOf('SOL')).subarray(0, 150) }),
      /too early/,
    ],
    [
      'a transaction with something behind it',
      () => ({ kind: 'solanaTransaction', transaction: Buffer.concat([wire(addressOf('SOL')), Buffer.of(1)]) }),
      /left over/,
    ],
    [
      'a transaction that names the wallet, and is signed by others',
      () => ({ kind: 'solanaTransaction', transaction: wire('11111111111111111111111111111112', 0, addressOf('SOL')) }),
      /not among its signers/,
    ],
    ['a transaction of version 1', () => changed(65, 0x81), /version is unknown/],
    ['a transaction whose signers are all read-only', () => changed(67, 1), /does not fit its accounts/],
    [
      'a transaction with places for more signatures',
      () => ({ kind: 'solanaTransaction', transaction: Buffer.concat([Buffer.of(2), Buffer.alloc(128), wired()]) }),
      /one place for each/,
    ],
    [
      'a transaction with a length in another form',
      () => ({
        kind: 'solanaTransaction',
        transaction: Buffer.concat([Buffer.of(0x81, 0), Buffer.alloc(64), wired()]),
      }),
      /shortest form/,
    ],
    ['a large one', () => ({ kind: 'solanaTransaction', transaction: Buffer.alloc(1300) }), /larger/],
    ['nothing', () => ({ kind: 'solanaTransaction', transaction: Buffer.alloc(0) }), /too early/],
  ])('never %s', (_, request, reason) => expect(refusal('SOL', request())).toMatch(reason));
});

describe('on Sui', () => {
  const built = async (sender: string, gasOwner = sender): Promise<Buffer> => {
    const transaction = new SuiTransaction();
    const coin = { objectId: `0x${'3'.repeat(64)}`, version: '7', digest: base58.encode(Buffer.alloc(32, 5)) };
    transaction.setSender(sender);
    transaction.setGasOwner(gasOwner);
    transaction.setGasPayment([coin]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(5_000_000);
    transaction.setExpiration({ Epoch: 9 });
    const [part] = transaction.splitCoins(transaction.gas, [transaction.pure.u64(12)]);
    transaction.transferObjects([part], transaction.pure.address(`0x${'4'.repeat(64)}`));
    transaction.moveCall({
      target: '0x2::coin::join',
      typeArguments: ['0x2::coin::Coin<vector<0x2::sui::SUI>>', 'u256'],
      arguments: [transaction.objectRef({ ...coin, objectId: `0x${'6'.repeat(64)}` })],
    });
    transaction.moveCall({
      target: '0x2::clock::read',
      arguments: [transaction.sharedObjectRef({ objectId: '0x6', initialSharedVersion: 1, mutable: false })],
    });
    transaction.makeMoveVec({ type: 'u64', elements: [transaction.pure.u64(1)] });
    transaction.mergeCoins(transaction.gas, [part]);
    return Buffer.from(await transaction.build());
  };

  it('a message, verified by @mysten/sui, as it signs it', async () => {
    const long = Buffer.alloc(300, 'x');
    const { signature } = sign('SUI', message(long));
    const verified = await verifyPersonalMessageSignature(new Uint8Array(long), signature!);
    expect(verified.toSuiAddress()).toBe(addressOf('SUI'));
    const pair = Ed25519Keypair.fromSecretKey(new Uint8Array(keyOf('SUI')));
    expect(signature).toBe((await pair.signPersonalMessage(new Uint8Array(long))).signature);
  });

  it('a transaction that it sends, or pays the gas of', async () => {
    const other = `0x${'9'.repeat(64)}`;
    for (const transaction of [await built(addressOf('SUI')), await built(other, addressOf('SUI'))]) {
      const { signature } = sign('SUI', { kind: 'suiTransaction', transaction });
      const verified = await verifyTransactionSignature(new Uint8Array(transaction), signature!);
      expect(verified.toSuiAddress()).toBe(addressOf('SUI'));
    }
  });

  it('never one of somebody else, one that is cut short or one with something behind it', async () => {
    const own = await built(addressOf('SUI'));
    const kind = 'suiTransaction';
    expect(refusal('SUI', { kind, transaction: await built(`0x${'9'.repeat(64)}`) })).toMatch(/not among/);
    expect(refusal('SUI', { kind, transaction: own.subarray(0, -1) })).toMatch(/too early/);
    expect(refusal('SUI', { kind, transaction: Buffer.concat([own, Buffer.of(0)]) })).toMatch(/left over/);
    expect(refusal('SUI', { kind, transaction: Buffer.of(0, 3, 1) })).toMatch(/not known/);
    const nested = new SuiTransaction();
    nested.setSender(addressOf('SUI'));
    nested.setGasPayment([
      { objectId: `0x${'3'.repeat(64)}`, version: '7', digest: base58.encode(Buffer.alloc(32, 5)) },
    ]);
    nested.setGasPrice(1);
    nested.setGasBudget(1);
    const deep = `${'vector<'.repeat(17)}u8${'>'.repeat(17)}`;
    nested.moveCall({ target: '0x2::coin::zero', typeArguments: [deep] });
    expect(refusal('SUI', { kind, transaction: Buffer.from(await nested.build()) })).toMatch(/nested too deeply/);
    for (let at = 0; at < own.length; at++) refusal('SUI', { kind, transaction: own.subarray(0, at) });
  });
});

describe('on Bitcoin', () => {
  const own = payments.p2wpkh({ pubkey: secp256k1.pointFromScalar(keyOf('BTC'), true)! });
  const psbt = (script = own.output!, inputs = 2) => {
    const made = new Psbt();
    for (let at = 0; at < inputs; at++) {
      made.addInput({ hash: Buffer.alloc(32, at + 1), index: at, witnessUtxo: { script, value: 50_000n } });
    }
    return made.addOutput({ address: own.address!, value: 90_000n });
  };
  const verify = (publicKey: Uint8Array, hash: Uint8Array, signature: Uint8Array): boolean =>
    secp256k1.verify(hash, publicKey, signature);
  const previous = () => {
    const made = new Transaction();
    made.addInput(Buffer.alloc(32, 9), 0);
    made.addOutput(own.output!, 70_000n);
    return made;
  };
  const request = (made: Psbt): SigningRequest => ({ kind: 'psbt', psbt: made.toBuffer() });

  it('a PSBT, all inputs that are its own, verified and finished by bitcoinjs-lib', () => {
    const { signedTransaction } = sign('BTC', request(psbt()));
    const signed = Psbt.fromBase64(signedTransaction!);
    expect(signed.validateSignaturesOfAllInputs(verify)).toBe(true);
    expect(signed.finalizeAllInputs().extractTransaction().ins).toHaveLength(2);
  });

  it('a PSBT with the whole transaction before it', () => {
    const whole = previous();
    const made = new Psbt().addInput({ hash: whole.getHash(), index: 0, nonWitnessUtxo: whole.toBuffer() });
    made.addOutput({ address: own.address!, value: 60_000n });
    const signed = Psbt.fromBase64(sign('BTC', request(made)).signedTransaction!);
    expect(signed.validateSignaturesOfAllInputs(verify)).toBe(true);
  });

  it('never inputs of others: those stay without a signature', () => {
    const other = payments.p2wpkh({ hash: Buffer.alloc(20, 1) }).output!;
    const made = psbt(own.output, 1).addInput({
      hash: Buffer.alloc(32, 8),
      index: 0,
      witnessUtxo: { script: other, value: 1n },
    });
    const { data } = Psbt.fromBase64(sign('BTC', request(made)).signedTransaction!);
    expect(data.inputs.map(({ partialSig }) => partialSig?.length ?? 0)).toEqual([1, 0]);
    expect(refusal('BTC', request(psbt(other)))).toMatch(/none of its inputs/);
  });

  it('never a part of a transaction, an output that another one has, or what is no PSBT', () => {
    const partial = psbt();
    partial.updateInput(0, { sighashType: Transaction.SIGHASH_NONE });
    expect(refusal('BTC', request(partial))).toMatch(/over a part/);
    const whole = previous();
    const lied = new Psbt().addInput({
      hash: whole.getHash(),
      index: 0,
      witnessUtxo: { script: own.output!, value: 10n },
      nonWitnessUtxo: whole.toBuffer(),
    });
    lied.addOutput({ address: own.address!, value: 5n });
    expect(refusal('BTC', request(lied))).toMatch(/said to spend/);
    const ofAnother = new Psbt().addInput({ hash: Buffer.alloc(32, 1), index: 0, nonWitnessUtxo: whole.toBuffer() });
    ofAnother.addOutput({ address: own.address!, value: 5n });
    expect(refusal('BTC', request(ofAnother))).toMatch(/said to spend/);
    const bytes = psbt().toBuffer();
    for (let at = 0; at < bytes.length; at++) {
      expect(refusal('BTC', { kind: 'psbt', psbt: bytes.subarray(0, at) })).not.toBe('accepted');
    }
    expect(refusal('BTC', { kind: 'psbt', psbt: Buffer.concat([bytes, Buffer.of(0)]) })).toMatch(/left over/);
  });

  it('never an input that is finished', () => {
    const made = Psbt.fromBase64(sign('BTC', request(psbt())).signedTransaction!).finalizeInput(0);
    const { data } = Psbt.fromBase64(sign('BTC', request(made)).signedTransaction!);
    expect(data.inputs.map(({ partialSig }) => partialSig?.length ?? 0)).toEqual([0, 1]);
    expect(refusal('BTC', request(made.finalizeInput(1)))).toMatch(/none of its inputs/);
  });

  it('never a PSBT of something signed, of nothing, or with two meanings', () => {
    const spending = (script: Buffer, inputs = 1) => {
      const made = new Transaction();
      for (let at = 0; at < inputs; at++) made.addInput(Buffer.alloc(32, 5), at, undefined, script);
      made.addOutput(own.output!, 1n);
      return made.toBuffer();
    };
    const utxo = Buffer.concat([Buffer.of(1, 0, 0, 0, 0, 0, 0, 0), sized(own.output!)]);
    const entry = Buffer.concat([Buffer.of(1, 1), sized(utxo)]);
    const of = (unsigned: Uint8Array, ...input: Buffer[]): SigningRequest => {
      const global = [Buffer.from('70736274ff0100', 'hex'), sized(unsigned), Buffer.of(0)];
      return { kind: 'psbt', psbt: Buffer.concat([...global, ...input, Buffer.of(0), Buffer.of(0)]) };
    };
    const nothing = Buffer.alloc(0);
    expect(refusal('BTC', of(spending(nothing), entry))).toBe('accepted');
    expect(refusal('BTC', of(spending(nothing), entry, entry))).toMatch(/twice/);
    expect(refusal('BTC', of(spending(Buffer.of(0x51)), entry))).toMatch(/is signed/);
    expect(refusal('BTC', of(Buffer.from('02000000000000000000', 'hex')))).toMatch(/no inputs/);
    const longer = Buffer.concat([Buffer.of(1, 1), sized(Buffer.concat([utxo, Buffer.of(0)]))]);
    expect(refusal('BTC', of(spending(nothing), longer))).toMatch(/left over/);
    expect(() => new ByteReader(Buffer.from('fe00010000', 'hex')).compactSize()).toThrow(/shortest form/);
  });

  it('a PSBT of thousands of inputs and outputs is read in the time that they take one by one', () => {
    const spending = new Transaction();
    for (let at = 0; at < 4_000; at++) spending.addInput(Buffer.alloc(32, 5), at);
    for (let at = 0; at < 1_000; at++) spending.addOutput(own.output!, 1n);
    const utxo = Buffer.concat([Buffer.of(1, 0, 0, 0, 0, 0, 0, 0), sized(own.output!)]);
    const input = Buffer.concat([Buffer.of(1, 1), sized(utxo), Buffer.of(0)]);
    const inputs = Array.from({ length: 4_000 }, () => input);
    const global = [Buffer.from('70736274ff0100', 'hex'), sized(spending.toBuffer()), Buffer.of(0)];
    const bytes = Buffer.concat([...global, ...inputs, Buffer.alloc(1_000)]);
    const before = worked();
    expect(refusal('BTC', { kind: 'psbt', psbt: bytes })).toBe('more than 256 of its inputs spend from the wallet');
    expect(worked() - before).toBeLessThan(1_000);
  });

  it('messages as BIP-322 has them in its vectors', () => {
    const wif = createBase58check(sha256).decode('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k');
    const privateKey = wif.subarray(1, 33);
    const { address } = payments.p2wpkh({ pubkey: secp256k1.pointFromScalar(privateKey, true)! });
    const signed = (content: string) =>
      readSignable({ chain: 'BTC', address: address! }, message(Buffer.from(content))).sign(privateKey).signature;
    // The document allows two nonces; both are listed.
    expect([
      'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
      'AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    ]).toContain(signed(''));
    expect([
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
      'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    ]).toContain(signed('Hello World'));
  });
});
