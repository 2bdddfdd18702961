import { compressPublicKey, secp256k1PublicKey } from '../derivation/secp256k1-key.js';
import { isTaproot, programOf, scriptOf, sha256 } from './bitcoin-script.js';
import {
  parseTransaction,
  readOutput,
  SIGHASH_ALL,
  transactionId,
  witnessSighashOf,
  witnessSignature,
  type BitcoinOutput,
  type BitcoinTransaction,
} from './bitcoin-transaction.js';
import { ByteReader, UnreadableRequest } from './byte-reader.js';
import { INPUT, parsePsbt, psbtBytes, valueOf, type Psbt, type PsbtMap } from './psbt.js';
import type { Signable, SigningAccount } from './signable.js';
import type { SigningRequest } from './signing-request.js';

/**
 * Each is a signature, 0.2 ms in the process that makes those of everybody. Whoever spends more coins than this joins
 * them in several transactions.
 */
const MAX_OWN_INPUTS = 256;

/** An input spent by the wallet's key. */
interface OwnInput {
  readonly at: number;
  readonly sighash: Buffer;
}

/** Adds the wallet's signature to every input that spends from its address, and leaves the others as they are. */
export function bitcoinPsbt(
  { address }: SigningAccount,
  { psbt: bytes }: Extract<SigningRequest, { kind: 'psbt' }>,
): Signable {
  const psbt = parsePsbt(Buffer.from(bytes));
  const own = ownInputs(psbt, address);
  if (own.length === 0) throw new UnreadableRequest('none of its inputs spends from the wallet');
  if (own.length > MAX_OWN_INPUTS) {
    throw new UnreadableRequest(`more than ${MAX_OWN_INPUTS} of its inputs spend from the wallet`);
  }
  return {
    digest: own.length === 1 ? own[0]!.sighash : sha256(Buffer.concat(own.map(({ sighash }) => sighash))),
    networkId: null,
    sign: (key) => ({ signedTransaction: withSignatures(psbt, own, key).toString('base64') }),
  };
}

function ownInputs({ transaction, inputs }: Psbt, address: string): OwnInput[] {
  const [script, program] = [scriptOf(address), programOf(address)];
  const sighashOf = witnessSighashOf(transaction);
  return inputs.flatMap((input, at): OwnInput[] => {
    const spent = spentOutput(transaction, input, at);
    if (!spent?.script.equals(script) || isFinal(input)) return [];
    assertSighashAll(input);
    return [{ at, sighash: sighashOf(at, { program, value: spent.value }) }];
  });
}

/**
 * The outputs spent by all inputs, or null if uncertain. A signature commits only to the amount of its own input
 * (BIP-143), so with several inputs each must come with the transaction that its outpoint hashes. A Taproot signature
 * commits to all amounts (BIP-341): with a wrong amount it is invalid for this transaction.
 */
export function fullySpent({ transaction, inputs }: Psbt, address: string): BitcoinOutput[] | null {
  const isCertain =
    isTaproot(address) || inputs.length === 1 || inputs.every((input) => valueOf(input, INPUT.nonWitnessUtxo) !== null);
  const spent = inputs.flatMap((input, at) => spentOutput(transaction, input, at) ?? []);
  return isCertain && spent.length === inputs.length ? spent : null;
}

/** The output that an input spends, according to the PSBT: if it gives both forms, they must agree. */
export function spentOutput(transaction: BitcoinTransaction, input: PsbtMap, at: number): BitcoinOutput | null {
  const [witnessUtxo, whole] = [valueOf(input, INPUT.witnessUtxo), valueOf(input, INPUT.nonWitnessUtxo)];
  const claimed = witnessUtxo && readWhole(witnessUtxo);
  if (!whole) return claimed ?? null;
  const { outpoint } = transaction.inputs[at]!;
  const previous = parseTransaction(whole);
  const output = previous.outputs[outpoint.readUInt32LE(32)];
  const isPrevious = transactionId(previous).equals(outpoint.subarray(0, 32));
  const agrees = !claimed || (output?.value.equals(claimed.value) && output.script.equals(claimed.script));
  if (!isPrevious || !output || !agrees) throw new UnreadableRequest('an input is not the output it is said to spend');
  return output;
}

function readWhole(bytes: Buffer): BitcoinOutput {
  const reader = new ByteReader(bytes);
  const output = readOutput(reader);
  reader.end();
  return output;
}

export const isFinal = (input: PsbtMap): boolean =>
  valueOf(input, INPUT.finalScript) !== null || valueOf(input, INPUT.finalWitness) !== null;

function assertSighashAll(input: PsbtMap): void {
  const type = valueOf(input, INPUT.sighashType);
  if (type && (type.length !== 4 || type.readUInt32LE() !== SIGHASH_ALL)) {
    throw new UnreadableRequest('an input asks for a signature over a part of the transaction');
  }
}

function withSignatures(psbt: Psbt, own: readonly OwnInput[], key: Uint8Array): Buffer {
  const publicKey = compressPublicKey(secp256k1PublicKey(key));
  const name = Buffer.concat([Buffer.of(INPUT.partialSignature), publicKey]);
  const signatures = new Map(own.map(({ at, sighash }) => [at, witnessSignature(sighash, key)]));
  const inputs = psbt.inputs.map((input, at) => {
    const signature = signatures.get(at);
    return signature ? [...input.filter((one) => !one.key.equals(name)), { key: name, value: signature }] : input;
  });
  return psbtBytes({ ...psbt, inputs });
}
