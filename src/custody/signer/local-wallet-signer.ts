import { SecretBytes } from '../../vault/index.js';
import type { AccountPlace, EmbeddedAccount } from '../held-account.js';
import { deriveAccount, deriveKeyedAccount, derivePrivateKey, identifyKey } from '../derivation/derive-account.js';
import { generateHdEntropy } from '../derivation/hd-seed.js';
import { readSignable } from '../signing/read-signable.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import { openOffer, receiverKeys, sealTo, type HpkeMessage, type Recipient } from '../../vault/index.js';
import { ed25519Scalar } from '../derivation/ed25519-scalar.js';
import { dealShares } from '../threshold/dealing.js';
import { lockedCopy } from '../threshold/locked-copy.js';
import { proveKey } from './key-proof.js';
import { readSeed, writeSeed, type KeptAccount, type KeptSeed } from './kept-seed.js';
import { usingSeed, type SecretKind, type SeedOwner, type SeedVault } from './seed-vault.js';
import {
  KeyRefused,
  WalletSigner,
  type ArrivedSecret,
  type Dealing,
  type DealtKey,
  type KeyedAccount,
  type KeyReceiver,
  type NamedKeys,
  type NewlySealed,
  type OfferedKey,
  type ReceivedKey,
  type SealedKeys,
} from './wallet-signer.js';

/** Length of the secret that a receiver's key pairs are derived from. */
const RECEIVER_BYTES = 32;
const NOT_OF_THE_ADDRESS = 'These keys are not those of the address.';

/** Opens secrets in this process for a single use, and wipes them afterwards. */
export class LocalWalletSigner extends WalletSigner {
  constructor(private readonly vault: SeedVault) {
    super();
  }

  override async createSeed(
    keys: NamedKeys,
    places: readonly AccountPlace[],
  ): Promise<NewlySealed & { readonly accounts: EmbeddedAccount[] }> {
    const entropy = generateHdEntropy();
    try {
      return await usingSeed(entropy, async (seed) => {
        const keyed = places.map(({ chain, index }) => ({ chain, index, ...deriveKeyedAccount(seed, chain, index) }));
        try {
          const sealed = await this.sealSeed(keys, { entropy, seed, accounts: keyed });
          return { ...sealed, accounts: keyed.map(({ key: _, ...account }) => account) };
        } finally {
          for (const { key } of keyed) key.wipe();
        }
      });
    } finally {
      entropy.wipe();
    }
  }

  override derive(keys: SealedKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    return this.vault.withSeed(keys.sealed, ownerOf(keys), (seed) => accountsOf(seed, places));
  }

  override async sign(keys: SealedKeys, account: KeyedAccount, request: SigningRequest): Promise<Signed> {
    // Parsed before anything is opened: a refused request touches no key.
    const signable = readSignable(account, request);
    return this.usingKey(keys, account, (key) => signable.sign(key.expose()));
  }

  override async export(keys: SealedKeys, account: KeyedAccount, recipient: Recipient): Promise<HpkeMessage> {
    const key = await this.usingKey(keys, account, (one) => SecretBytes.from(Buffer.from(one.expose())));
    try {
      return await sealTo(recipient, key.expose(), Buffer.from(account.address));
    } finally {
      key.wipe();
    }
  }

  override async deal(
    keys: SealedKeys,
    account: KeyedAccount,
    { keysId, walletId, scheme, lock }: Dealing,
  ): Promise<DealtKey> {
    const dealt = await this.usingKey(keys, account, (key) => dealShares(scheme, ed25519Scalar(key.expose())));
    const { public: publicShares, clients, own } = dealt;
    const copy = await lockedCopy({ walletId, address: account.address, publicShares, secrets: clients }, lock);
    const secret = SecretBytes.from(Buffer.from(JSON.stringify(own)));
    try {
      const kept = await this.vault.seal(secret, ownerOf({ ...keys, keysId, kind: 'frost-shares' }));
      return { kept, public: publicShares, copy };
    } finally {
      secret.wipe();
    }
  }

  override async createReceiver(keys: NamedKeys): Promise<KeyReceiver> {
    const secret = SecretBytes.random(RECEIVER_BYTES);
    try {
      const sealed = await this.vault.seal(secret, ownerOf({ ...keys, kind: 'import-key' }));
      return { ...sealed, publicKeys: await receiverKeys(secret.expose()) };
    } finally {
      secret.wipe();
    }
  }

  override async receive(receiver: SealedKeys, as: NamedKeys, offer: OfferedKey): Promise<ReceivedKey> {
    const { chain, address, info } = offer;
    const opened = await this.vault.withSecret(receiver.sealed, ownerOf(receiver), (secret) =>
      openOffer(secret.expose(), offer, { info, aad: Buffer.from(address) }),
    );
    if (!opened) throw new KeyRefused('it was not sealed for this import');
    const key = SecretBytes.from(opened);
    try {
      const account = identifyKey(chain, key.expose());
      if (!account) throw new KeyRefused(`it is no private key of ${chain}: 32 bytes that are one`);
      if (account.address !== address) throw new KeyRefused('it is the key of another address');
      const proof = proveKey(chain, key.expose(), info);
      const sealed = await this.vault.seal(key, ownerOf({ ...as, kind: 'private-key' }));
      return { ...sealed, publicKey: account.publicKey, proof };
    } finally {
      key.wipe();
    }
  }

  override release(keys: SealedKeys, operator: Recipient, aad: Uint8Array): Promise<HpkeMessage> {
    return this.vault.withSecret(keys.sealed, ownerOf(keys), (secret) => {
      // For a seed, only the entropy, however it is stored here: every installation derives the rest.
      const own = (keys.kind === 'hd-entropy' && readSeed(secret)?.entropy) || secret;
      return sealTo(operator, own.expose(), aad);
    });
  }

  override async admit(as: NamedKeys & { kind: SecretKind }, arrival: ArrivedSecret): Promise<NewlySealed | null> {
    const opened = await openOffer(arrival.secret, arrival, arrival);
    if (!opened) return null;
    const secret = SecretBytes.from(opened);
    try {
      if (as.kind !== 'hd-entropy') return await this.vault.seal(secret, ownerOf(as));
      return await usingSeed(secret, (seed) => this.sealSeed(as, { entropy: secret, seed, accounts: [] }));
    } finally {
      secret.wipe();
    }
  }

  override rewrap(keys: SealedKeys): Promise<NewlySealed | null> {
    return this.vault.rewrap(keys.sealed, ownerOf(keys));
  }

  private usingKey<T>(keys: SealedKeys, account: KeyedAccount, use: (key: SecretBytes) => T): Promise<T> {
    return keys.kind === 'private-key'
      ? this.vault.withSecret(keys.sealed, ownerOf(keys), (key) => usingOwn(key, account, use))
      : this.vault.withSeed(keys.sealed, ownerOf(keys), (seed, kept) => usingAccount({ seed, kept }, account, use));
  }

  private async sealSeed(
    keys: NamedKeys,
    { accounts, ...seed }: Omit<KeptSeed, 'accounts'> & { accounts: readonly DerivedKey[] },
  ): Promise<NewlySealed> {
    const kept = writeSeed({ ...seed, accounts: accounts.map((one) => ({ ...one, key: one.key.expose() })) });
    try {
      return await this.vault.seal(kept, ownerOf(keys));
    } finally {
      kept.wipe();
    }
  }
}

const ownerOf = ({ environmentId, userId, keysId, kind }: NamedKeys & { kind?: SecretKind }): SeedOwner => ({
  environmentId,
  userId,
  seedId: keysId,
  ...(kind && { kind }),
});

type DerivedKey = AccountPlace & { readonly address: string; readonly key: SecretBytes };

const accountsOf = (seed: SecretBytes, places: readonly AccountPlace[]): EmbeddedAccount[] =>
  places.map(({ chain, index }) => ({ chain, index, ...deriveAccount(seed, chain, index) }));

/**
 * The private key of an account, which must match the wallet's address. For a key sealed with the seed, the address was
 * computed at sealing, and the seal covers both.
 */
function usingAccount<T>(
  { seed, kept }: { seed: SecretBytes; kept: readonly KeptAccount[] },
  { chain, index, address }: KeyedAccount,
  use: (key: SecretBytes) => T,
): T {
  const own = kept.find((one) => one.chain === chain && one.index === index);
  if (own) {
    if (own.address !== address) throw new Error(NOT_OF_THE_ADDRESS);
    return use(SecretBytes.from(own.key));
  }
  const key = derivePrivateKey(seed, chain, index);
  try {
    return usingOwn(key, { chain, index, address }, use);
  } finally {
    key.wipe();
  }
}

function usingOwn<T>(key: SecretBytes, { chain, address }: KeyedAccount, use: (key: SecretBytes) => T): T {
  if (identifyKey(chain, key.expose())?.address !== address) throw new Error(NOT_OF_THE_ADDRESS);
  return use(key);
}
