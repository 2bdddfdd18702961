import { Injectable, type OnModuleInit } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { Transaction } from '../../database/index.js';
import { SecretBytes } from '../../vault/index.js';
import { CustodianRegistry } from '../custodian-registry.js';
import type {
  CreatesKeys,
  Custodian,
  DealsKeys,
  DerivesAccounts,
  ExportsKeys,
  ImportedKeys,
  ImportsKeys,
  RetiresKeys,
  SignsRequests,
} from '../custodian.js';
import type { AccountPlace, EmbeddedAccount, HeldAccount, HeldKeys, KeyOwner } from '../held-account.js';
import { assertRandomSource } from '../derivation/entropy-self-test.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import type { HpkeMessage, Recipient } from '../../vault/index.js';
import { isProven } from '../signer/key-proof.js';
import {
  KeyRefused,
  WalletSigner,
  type Dealing,
  type DealtKey,
  type KeyReceiver,
  type OfferedKey,
  type SealedKeys,
} from '../signer/wallet-signer.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import { PreparedSeed } from './prepared-seed.js';
import { SeedsRepository, type VaultRecords } from './seeds.repository.js';

/** The vault ids, which all keys of a user share. */
const recordsLike = (keys: VaultRecords | null): VaultRecords => ({
  vaultOrganizationId: keys?.vaultOrganizationId ?? newId(),
  vaultUserId: keys?.vaultUserId ?? newId(),
});

const firstAccounts = (chains: readonly EmbeddedChain[]): AccountPlace[] =>
  chains.map((chain) => ({ chain, index: 0 }));

/**
 * Version V1: the service makes every seed and holds it, sealed by the key vault. Custodial, encrypted at rest: the
 * database alone reveals nothing; the database and the master key together reveal the keys. Seeds are opened only
 * behind `WalletSigner`.
 */
@Injectable()
export class ServerHeldKeys
  implements
    Custodian,
    CreatesKeys,
    RetiresKeys,
    DerivesAccounts,
    SignsRequests,
    ExportsKeys,
    ImportsKeys,
    DealsKeys,
    OnModuleInit
{
  readonly version = 'V1';
  readonly can = { create: this, retire: this, derive: this, sign: this, export: this, import: this, deal: this };

  constructor(
    private readonly seeds: SeedsRepository,
    private readonly signer: WalletSigner,
    private readonly custodians: CustodianRegistry,
  ) {}

  /** @throws RandomSourceError before any key can be made */
  onModuleInit(): void {
    assertRandomSource((length) => SecretBytes.random(length).expose());
    this.custodians.register(this);
  }

  async prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedSeed> {
    const first = await this.seeds.findFirst(owner.environmentId, owner.userId);
    if (first?.kind !== 'hd-entropy') return this.newSeed(owner, firstAccounts(chains), first);
    const accounts = await this.derive({ ...owner, keysId: first.id }, firstAccounts(chains));
    return new PreparedSeed(first.id, accounts, { owner, seeds: this.seeds, draft: null });
  }

  retire(
    { environmentId, userId, keysId = null }: KeyOwner & { keysId?: string | null },
    graceDays: number,
    tx: Transaction,
  ): Promise<string[]> {
    return this.seeds.condemn(environmentId, userId, { days: graceDays, keysId }, tx);
  }

  /**
   * @throws ApiError not_found if the user has another seed by now
   * @throws SealedBlobError if the seed does not belong to this user and environment
   */
  async derive(keys: HeldKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    return this.signer.derive(await this.sealedOf(keys), places);
  }

  /** @throws ApiError not_found, SealedBlobError, UnreadableRequest */
  async sign(account: HeldAccount, request: SigningRequest): Promise<Signed> {
    return this.signer.sign(await this.sealedOf(account), account, request);
  }

  /** @throws ApiError not_found, SealedBlobError */
  async export(account: HeldAccount, recipient: Recipient): Promise<HpkeMessage> {
    return this.signer.export(await this.sealedOf(account), account, recipient);
  }

  /** @throws ApiError not_found, SealedBlobError */
  async deal(account: HeldAccount, dealing: Dealing): Promise<DealtKey> {
    return this.signer.deal(await this.sealedOf(account), account, dealing);
  }

  createReceiver({ environmentId, userId }: KeyOwner, importId: string): Promise<KeyReceiver> {
    return this.signer.createReceiver({ environmentId, userId, keysId: importId });
  }

  /** @throws KeyRefused */
  async import(
    { environmentId, userId }: KeyOwner,
    { importId, ...begun }: { importId: string; sessionId: string; sealed: Buffer },
    offer: OfferedKey,
  ): Promise<ImportedKeys> {
    const keysId = newId();
    const owner = { environmentId, userId };
    const receiver = { ...owner, ...begun, keysId: importId, kind: 'import-key' } as const;
    const received = await this.signer.receive(receiver, { ...owner, keysId }, offer);
    const { publicKey, proof, masterKeyId } = received;
    const { chain, address } = offer;
    const account = { chain, address, publicKey };
    if (!isProven(account, offer.info, proof)) throw new KeyRefused('it signs for another address');
    const records = recordsLike(await this.seeds.findFirst(environmentId, userId));
    const row = {
      id: keysId,
      userId,
      ...records,
      kind: 'private-key',
      sealedEntropy: received.sealed,
      masterKeyId,
    } as const;
    return {
      keysId,
      account,
      store: async (tx) => void (await this.seeds.insertIfAbsent(environmentId, row, tx)),
      discard: () => received.sealed.fill(0),
    };
  }

  private async sealedOf({ environmentId, userId, keysId }: HeldKeys): Promise<SealedKeys> {
    const held = await this.seeds.findSealed(environmentId, userId, keysId);
    if (!held) throw notFound();
    return { environmentId, userId, keysId, ...held };
  }

  private async newSeed(
    owner: KeyOwner,
    places: readonly AccountPlace[],
    records: VaultRecords | null,
  ): Promise<PreparedSeed> {
    const { environmentId, userId } = owner;
    const id = newId();
    const { sealed, masterKeyId, accounts } = await this.signer.createSeed(
      { environmentId, userId, keysId: id },
      places,
    );
    const draft = {
      id,
      userId,
      ...recordsLike(records),
      kind: 'hd-entropy',
      sealedEntropy: sealed,
      masterKeyId,
    } as const;
    return new PreparedSeed(id, accounts, { owner, seeds: this.seeds, draft });
  }
}
