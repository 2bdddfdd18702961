import { createHash } from 'node:crypto';
import { ed25519PublicKey, ed25519Sign } from '../derivation/ed25519-key.js';
import { byteBits, Cell } from '../ton/cell.js';
import { parseBoc, writeBoc } from '../ton/boc.js';
import { parseTonAddress } from '../../common/addresses/ton-address.js';
import { parseWalletBody } from '../ton/wallet-body.js';
import { accountBits, walletOf } from '../ton/wallet-v5.js';
import { UnreadableRequest } from './byte-reader.js';
import type { Signable, SigningAccount } from './signable.js';
import type { Signed, SigningRequest } from './signing-request.js';
import { readTonData } from './ton-data.js';

type Of<K extends SigningRequest['kind']> = Extract<SigningRequest, { kind: K }>;

/** The request to the wallet contract, whose hash is signed. The contract accepts it from any sender. */
export function tonTransaction({ publicKey: known }: SigningAccount, { transaction }: Of<'tonTransaction'>): Signable {
  const body = parseBoc(Buffer.from(transaction));
  const { sequence, walletId } = parseWalletBody(body);
  if (known && walletOf(known).walletId !== walletId)
    throw new UnreadableRequest('it is for another wallet of the key');
  return signable(body.hash, (signature, publicKey) => ({
    signature: signature.toString('base64'),
    signedTransaction: writeBoc(fromOutside(body, signature, publicKey, sequence === 0n)).toString('base64'),
  }));
}

/** Text or bytes bound to an application and a time: `signData` of TON Connect. */
export function tonData({ address }: SigningAccount, { data }: Of<'tonData'>): Signable {
  const bytes = Buffer.from(data);
  const { account } = readTonData(bytes);
  const own = parseTonAddress(address)!;
  if (account.workchain !== own.workchain || !account.hash.equals(own.hash))
    throw new UnreadableRequest('it is of another wallet');
  const digest = createHash('sha256').update(bytes).digest();
  return signable(digest, (signature) => ({ signature: signature.toString('base64') }));
}

/** The external message that a node accepts. A wallet's first one also deploys the contract. */
function fromOutside(body: Cell, signature: Buffer, publicKey: Buffer, isFirst: boolean): Cell {
  const signed = new Cell(body.bits + byteBits(signature), body.references);
  // No sender, to the wallet, no import fee.
  const { account, state } = walletOf(publicKey);
  const head = `1000${accountBits(account)}0000`;
  return isFirst ? new Cell(`${head}111`, [state, signed]) : new Cell(`${head}01`, [signed]);
}

function signable(digest: Buffer, written: (signature: Buffer, publicKey: Buffer) => Signed): Signable {
  return {
    digest,
    networkId: null,
    sign: (key) => written(ed25519Sign(digest, key), ed25519PublicKey(key)),
    schnorr: { message: digest, written },
  };
}
