import { describe, expect, it } from '@jest/globals';
import {
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type Hex,
  type TransactionSerializable,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readSignable } from './read-signable.js';
import type { SigningRequest, TypedData } from './signing-request.js';
import { addressOf, key, keyOf, message, refusal, sign, text } from './signing.fixture.js';

describe('on EVM', () => {
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const transactions: TransactionSerializable[] = [
    { type: 'eip1559', chainId: 1, nonce: 3, to, value: 5n, gas: 21_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n },
    { type: 'eip2930', chainId: 10, to, gas: 50_000n, gasPrice: 7n, data: '0xabcdef', accessList: [] },
    { type: 'legacy', chainId: 137, nonce: 0, to, value: 1n, gas: 21_000n, gasPrice: 3n },
    { type: 'eip1559', chainId: 8453, data: '0x6001600101', gas: 90_000n, maxFeePerGas: 2n },
  ];
  const typedData = (domain: object, types: object = {}): TypedData => ({
    domain: domain as TypedData['domain'],
    types: { Mail: [{ name: 'to', type: 'address' }], ...types },
    primaryType: 'Mail',
    message: { to },
  });
  const domain = { name: 'Mail', version: '1', chainId: 1, verifyingContract: to };
  const uint = { name: 'chainId', type: 'uint256' };

  it('a message is signed as viem signs it', async () => {
    const { signature } = sign('EVM', message(text));
    const account = privateKeyToAccount(key('EVM'));
    expect(signature).toBe(await account.signMessage({ message: { raw: new Uint8Array(text) } }));
    const recovered = await recoverMessageAddress({
      message: { raw: new Uint8Array(text) },
      signature: signature as Hex,
    });
    expect(recovered).toBe(addressOf('EVM'));
  });

  it.each(transactions.map((one) => [one.type, one] as const))('a transaction of type %s', async (_, transaction) => {
    const serialized = serializeTransaction(transaction);
    const signable = readSignable(
      { chain: 'EVM', address: addressOf('EVM') },
      { kind: 'evmTransaction', transaction: serialized },
    );
    expect(signable.networkId).toBe(transaction.chainId);
    const { signedTransaction } = signable.sign(keyOf('EVM'));
    const signed = signedTransaction as Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction'];
    expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(addressOf('EVM'));
    expect(signedTransaction).toBe(
      await privateKeyToAccount(key('EVM')).signTransaction(parseTransaction(serialized) as never),
    );
  });

  it('typed data, for the chain that its domain names', async () => {
    const data = typedData(domain);
    const signable = readSignable({ chain: 'EVM', address: addressOf('EVM') }, { kind: 'typedData', typedData: data });
    expect(signable.networkId).toBe(1);
    const { signature } = signable.sign(keyOf('EVM'));
    expect(await recoverTypedDataAddress({ ...(data as never as object), signature: signature as Hex } as never)).toBe(
      addressOf('EVM'),
    );
  });

  it.each<[string, SigningRequest, RegExp]>([
    ['no transaction', { kind: 'evmTransaction', transaction: '0x1234' }, /no transaction/],
    ['nothing', { kind: 'evmTransaction', transaction: '0x' }, /no transaction/],
    ['a digest', { kind: 'evmTransaction', transaction: `0x${'ab'.repeat(32)}` }, /no transaction|type/],
    [
      'one without a chain',
      { kind: 'evmTransaction', transaction: serializeTransaction({ type: 'legacy', to, gas: 1n, gasPrice: 1n }) },
      /names no chain/,
    ],
    [
      'one that delegates the account',
      {
        kind: 'evmTransaction',
        transaction: serializeTransaction({ type: 'eip7702', chainId: 1, to, authorizationList: [] }),
      },
      /eip7702/,
    ],
    [
      'one that is signed',
      {
        kind: 'evmTransaction',
        transaction: serializeTransaction(transactions[0]!, {
          r: `0x${'11'.repeat(32)}`,
          s: `0x${'22'.repeat(32)}`,
          yParity: 0,
        }),
      },
      /signed already/,
    ],
    [
      'bytes behind it',
      { kind: 'evmTransaction', transaction: `${serializeTransaction(transactions[0]!)}00` as Hex },
      /canonical|no transaction/,
    ],
    [
      'a chain with a number that is rounded',
      {
        kind: 'evmTransaction',
        transaction: '0xe60101825208941111111111111111111111111111111111111111018087200000000000018080',
      },
      /canonical/,
    ],
    [
      'a key of storage in another form',
      {
        kind: 'evmTransaction',
        transaction:
          '0x02f838010101018252089411111111111111111111111111111111111111110180d9d8941111111111111111111111111111111111111111c2c111',
      },
      /canonical/,
    ],
    ['a domain without a chain', { kind: 'typedData', typedData: typedData({ name: 'Mail' }) }, /names no chain/],
    ['a domain with more', { kind: 'typedData', typedData: typedData({ ...domain, owner: 'x' }) }, /does not know/],
    [
      'a domain type that leaves the chain out of the hash',
      { kind: 'typedData', typedData: typedData(domain, { EIP712Domain: [{ name: 'name', type: 'string' }] }) },
      /EIP712Domain/,
    ],
    [
      'a message that does not fit',
      { kind: 'typedData', typedData: { ...typedData(domain), message: { to: 'x' } } },
      /fit its types/,
    ],
    [
      'an unknown primary type',
      { kind: 'typedData', typedData: { ...typedData(domain), primaryType: 'Other' } },
      /primary type/,
    ],
    [
      'the domain in the place of a message',
      {
        kind: 'typedData',
        typedData: { ...typedData({ chainId: 1 }, { EIP712Domain: [uint] }), primaryType: 'EIP712Domain' },
      },
      /primary type/,
    ],
    ['a kind of another chain', { kind: 'psbt', psbt: Buffer.alloc(4) }, /signs no psbt/],
  ])('never %s', (_, request, reason) => expect(refusal('EVM', request)).toMatch(reason));
});
