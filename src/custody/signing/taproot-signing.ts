import { messageTransaction } from './bitcoin-message.js';
import { isFinal, spentOutput } from './bitcoin-psbt.js';
import { scriptOf, sha256, sized, taggedHash } from './bitcoin-script.js';
import { outputBytes, type BitcoinOutput, type BitcoinTransaction } from './bitcoin-transaction.js';
import { UnreadableRequest } from './byte-reader.js';
import { INPUT, parsePsbt, psbtBytes, valueOf, type Psbt, type PsbtMap } from './psbt.js';
import type { Signable, SigningAccount } from './signable.js';
import type { Signed, SigningRequest } from './signing-request.js';

/** The only signature type used: over all inputs and all outputs, with no sighash byte appended. */
const SIGHASH_DEFAULT = 0;
const EPOCH = 0;
/** Key path, without an annex. */
const SPEND_TYPE = 0;

/**
 * Adds one signature: to the first unsigned input that spends from the wallet's address. A PSBT with several of them is
 * signed as many times, each time with the signatures made so far.
 */
export function taprootPsbt(
  { address }: SigningAccount,
  { psbt: bytes }: Extract<SigningRequest, { kind: 'psbt' }>,
): Signable {
  const psbt = parsePsbt(Buffer.from(bytes));
  const { transaction, inputs } = psbt;
  const spent = inputs.map((input, at) => {
    const output = spentOutput(transaction, input, at);
    if (output) return output;
    throw new UnreadableRequest('a signature of Taproot is over what every input spends, and one does not tell it');
  });
  const script = scriptOf(address);
  const at = inputs.findIndex((input, index) => spent[index]!.script.equals(script) && isOpen(input));
  if (at < 0) throw new UnreadableRequest('none of its inputs spends from the wallet and has no signature');
  assertSighashDefault(inputs[at]!);
  const sighash = taprootSighash(transaction, at, spent);
  return jointly(sighash, (signature) => ({
    signedTransaction: withSignature(psbt, at, signature).toString('base64'),
  }));
}

/** BIP-322, "Simple". */
export function taprootMessage(
  { address }: SigningAccount,
  { message }: Extract<SigningRequest, { kind: 'message' }>,
): Signable {
  const { toSign, spent } = messageTransaction(address, message);
  return jointly(taprootSighash(toSign, 0, [spent]), (signature) => ({
    signature: Buffer.concat([Buffer.of(1), sized(signature)]).toString('base64'),
  }));
}

/** BIP-341, "Common signature message", for a key path spend with SIGHASH_DEFAULT. */
export function taprootSighash(
  { version, inputs, outputs, lockTime }: BitcoinTransaction,
  at: number,
  spent: readonly BitcoinOutput[],
): Buffer {
  const index = Buffer.alloc(4);
  index.writeUInt32LE(at);
  const hashed = (parts: readonly Buffer[]): Buffer => sha256(Buffer.concat(parts));
  const message = Buffer.concat([
    Buffer.of(EPOCH, SIGHASH_DEFAULT),
    version,
    lockTime,
    hashed(inputs.map(({ outpoint }) => outpoint)),
    hashed(spent.map(({ value }) => value)),
    hashed(spent.map(({ script }) => sized(script))),
    hashed(inputs.map(({ sequence }) => sequence)),
    hashed(outputs.map(outputBytes)),
    Buffer.of(SPEND_TYPE),
    index,
  ]);
  return taggedHash('TapSighash', message);
}

const jointly = (digest: Buffer, written: (signature: Buffer) => Signed): Signable => ({
  digest,
  networkId: null,
  sign: () => {
    throw new Error('Keys of Taproot are shared: nobody has one whole.');
  },
  schnorr: { message: digest, written },
});

const isOpen = (input: PsbtMap): boolean => !isFinal(input) && valueOf(input, INPUT.taprootKeySignature) === null;

function assertSighashDefault(input: PsbtMap): void {
  const type = valueOf(input, INPUT.sighashType);
  if (type && (type.length !== 4 || type.readUInt32LE() !== SIGHASH_DEFAULT)) {
    throw new UnreadableRequest('an input asks for another signature than that of SIGHASH_DEFAULT');
  }
}

function withSignature(psbt: Psbt, at: number, signature: Buffer): Buffer {
  const entry = { key: Buffer.of(INPUT.taprootKeySignature), value: signature };
  return psbtBytes({ ...psbt, inputs: psbt.inputs.map((input, index) => (index === at ? [...input, entry] : input)) });
}
