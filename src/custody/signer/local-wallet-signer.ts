import { Injectable } from '@nestjs/common';
import { SecretBytes } from '../../vault/index.js';
import type { AccountPlace, EmbeddedAccount } from '../custodian.js';
import { deriveAccount, derivePrivateKey } from '../derivation/derive-account.js';
import { generateHdEntropy } from '../derivation/hd-seed.js';
import { readSignable } from '../signing/read-signable.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import { sealTo, type HpkeMessage, type Recipient } from './hpke.js';
import { SeedVault, usingSeed, type SeedOwner } from './seed-vault.js';
import { WalletSigner, type KeyedAccount, type NamedKeys, type NewlySealed, type SealedKeys } from './wallet-signer.js';

/** Opens seeds in this process, for the length of one use, and wipes them afterwards. */
@Injectable()
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
      const sealed = await this.vault.seal(entropy, ownerOf(keys));
      return { ...sealed, accounts: await usingSeed(entropy, (seed) => accountsOf(seed, places)) };
    } finally {
      entropy.wipe();
    }
  }

  override derive(keys: SealedKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    return this.vault.withSeed(keys.sealed, ownerOf(keys), (seed) => accountsOf(seed, places));
  }

  override async sign(keys: SealedKeys, account: KeyedAccount, request: SigningRequest): Promise<Signed> {
    // Read before anything is opened: what is refused touches no key.
    const signable = readSignable(account, request);
    return this.vault.withSeed(keys.sealed, ownerOf(keys), (seed) =>
      usingKey(seed, account, (key) => signable.sign(key.expose())),
    );
  }

  override async export(keys: SealedKeys, account: KeyedAccount, recipient: Recipient): Promise<HpkeMessage> {
    const key = await this.vault.withSeed(keys.sealed, ownerOf(keys), (seed) =>
      usingKey(seed, account, (one) => SecretBytes.from(Buffer.from(one.expose()))),
    );
    try {
      return await sealTo(recipient, key.expose(), Buffer.from(account.address));
    } finally {
      key.wipe();
    }
  }

  override rewrap(keys: SealedKeys): Promise<NewlySealed | null> {
    return this.vault.rewrap(keys.sealed, ownerOf(keys));
  }
}

const ownerOf = ({ environmentId, userId, keysId }: NamedKeys): SeedOwner => ({
  environmentId,
  userId,
  seedId: keysId,
});

const accountsOf = (seed: SecretBytes, places: readonly AccountPlace[]): EmbeddedAccount[] =>
  places.map(({ chain, index }) => ({ chain, index, ...deriveAccount(seed, chain, index) }));

/** The private key of an account, which has to be the one that the wallet shows. */
function usingKey<T>(seed: SecretBytes, { chain, index, address }: KeyedAccount, use: (key: SecretBytes) => T): T {
  if (deriveAccount(seed, chain, index).address !== address)
    throw new Error('These keys are not those of the address.');
  const key = derivePrivateKey(seed, chain, index);
  try {
    return use(key);
  } finally {
    key.wipe();
  }
}
