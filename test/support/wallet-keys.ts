import { createHmac } from 'node:crypto';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { base58 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { payments } from 'bitcoinjs-lib';
import { mnemonicToAccount } from 'viem/accounts';
import { Envelope, type KeyVault } from '../../src/vault/index.js';
import { withClient } from './postgres.js';

/** A stored row of `wallet_seeds`. */
export interface StoredSeed {
  environmentId: string;
  id: string;
  userId: string;
  sealedEntropy: Buffer;
}

/** Everything derived from a seed on one chain, without any code of the service. */
export interface ForeignAccount {
  chain: 'EVM' | 'SOL' | 'SUI' | 'BTC';
  address: string;
  /** 32 bytes: the scalar on secp256k1, the seed of RFC 8032 on Ed25519. */
  privateKey: Buffer;
  publicKey: Buffer;
}

/** Every seed in use, of one user or of all. */
export function storedSeeds(databaseUrl: string, userId?: string): Promise<StoredSeed[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<StoredSeed>(
      `SELECT environment_id AS "environmentId", id, user_id AS "userId", sealed_entropy AS "sealedEntropy"
       FROM wallet_seeds WHERE destroy_after IS NULL AND kind = 'hd-entropy' AND ($1::uuid IS NULL OR user_id = $1) ORDER BY id`,
      [userId ?? null],
    );
    return rows;
  });
}

/** @throws SealedBlobError unless the vault has the master key and the entropy was sealed for this row */
export async function openEntropy(vault: KeyVault, { environmentId, id, userId, sealedEntropy }: StoredSeed) {
  const context = { purpose: 'wallet', environmentId, userId, subjectId: id, kind: 'hd-entropy' };
  const secret = Buffer.from((await new Envelope(vault).open(sealedEntropy, context)).expose());
  // After the version and its length, if more is sealed with it.
  return secret.length > 32 ? secret.subarray(2, 2 + secret.readUInt8(1)) : secret;
}

export const phraseOf = (entropy: Buffer): string => entropyToMnemonic(entropy, wordlist);

/** The first account on each chain, by the paths of BIP-44, BIP-84 and the wallets people use on SOL and SUI. */
export async function accountsOf(entropy: Buffer): Promise<ForeignAccount[]> {
  const phrase = phraseOf(entropy);
  const seed = mnemonicToSeedSync(phrase);
  const evm = mnemonicToAccount(phrase);
  const sol = slip10(seed, [44, 501, 0, 0]);
  const signer = await createKeyPairSignerFromPrivateKeyBytes(sol);
  const sui = Ed25519Keypair.deriveKeypair(phrase, "m/44'/784'/0'/0'/0'");
  const btc = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'/0/0");
  return [
    { chain: 'EVM', address: evm.address, ...keysOf(evm.getHdKey()) },
    { chain: 'SOL', address: signer.address, privateKey: sol, publicKey: Buffer.from(base58.decode(signer.address)) },
    {
      chain: 'SUI',
      address: sui.toSuiAddress(),
      privateKey: slip10(seed, [44, 784, 0, 0, 0]),
      publicKey: Buffer.from(sui.getPublicKey().toRawBytes()),
    },
    { chain: 'BTC', address: payments.p2wpkh({ pubkey: btc.publicKey! }).address!, ...keysOf(btc) },
  ];
}

const keysOf = (node: { privateKey: Uint8Array | null; publicKey: Uint8Array | null }) => ({
  privateKey: Buffer.from(node.privateKey!),
  publicKey: Buffer.from(node.publicKey!),
});

/** SLIP-0010, "Master key generation" and "Private parent key → private child key", Ed25519: every step is hardened. */
function slip10(seed: Uint8Array, path: readonly number[]): Buffer {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest();
  for (const step of path) {
    const index = Buffer.alloc(4);
    index.writeUInt32BE(step + 2 ** 31);
    node = createHmac('sha512', node.subarray(32))
      .update(Buffer.concat([Buffer.of(0), node.subarray(0, 32), index]))
      .digest();
  }
  return node.subarray(0, 32);
}
