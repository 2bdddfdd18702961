import { expect, it } from '@jest/globals';
import { Psbt, Transaction } from 'bitcoinjs-lib';
import { messageTransaction } from './bitcoin-message.js';
import { transactionId } from './bitcoin-transaction.js';
import { addressOf, refusal, text } from './signing.fixture.js';

it('a PSBT has at most 256 inputs of the wallet, each of which would be a signature', () => {
  const { spent } = messageTransaction(addressOf('BTC'), text);
  const refused = (inputs: number): string => {
    const made = new Psbt().addOutput({ script: spent.script, value: 1n });
    const witnessUtxo = { script: spent.script, value: 5_000n };
    for (let index = 0; index < inputs; index++) made.addInput({ hash: Buffer.alloc(32, 1), index, witnessUtxo });
    return refusal('BTC', { kind: 'psbt', psbt: made.toBuffer() });
  };
  expect([refused(256), refused(257)]).toEqual(['accepted', 'more than 256 of its inputs spend from the wallet']);
});

it('a message is not signed as a PSBT, whose signature would be one of the message', () => {
  const { toSign, spent } = messageTransaction(addressOf('BTC'), text);
  const hash = toSign.inputs[0]!.outpoint.subarray(0, 32);
  const witnessUtxo = { script: spent.script, value: 0n };
  const psbtOf = (change = 0n) => {
    const made = new Psbt().setVersion(0).addInput({ hash, index: 0, sequence: 0, witnessUtxo });
    made.addOutput({ script: Buffer.of(0x6a), value: 0n });
    return change > 0n ? made.addOutput({ script: spent.script, value: change }) : made;
  };
  const refused = (made: Psbt): string => refusal('BTC', { kind: 'psbt', psbt: made.toBuffer() });
  expect(Transaction.fromBuffer(psbtOf().data.getTransaction()).getHash()).toEqual(transactionId(toSign));
  expect(refused(psbtOf())).toBe('it is a message (BIP-322) and no transaction');
  expect(refused(psbtOf(1n))).toBe('accepted');
});
