import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { conflict } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  CustodianRegistry,
  KeyLedger,
  type CustodyVersion,
  type EmbeddedAccount,
  type EmbeddedChain,
  type KeyActor,
  type KeyUse,
  type PreparedKeys,
} from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { CredentialWriter, WalletChecks } from '../../identity/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { actorOf } from '../record/wallet-actor.js';
import { missingChains } from '../record/wallet-chains.js';
import { embeddedCredential } from '../record/wallet-credential.js';
import { seedBeingShared, walletAddressTaken } from '../record/wallet.errors.js';
import { WALLET_CREATED, walletEvent } from '../record/wallet.events.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import { AddressOwnersRepository } from './address-owners.repository.js';
import { discardKeys } from './discard-keys.js';
import { SignInAddresses } from './sign-in-addresses.js';
import { WalletUpgradesRepository } from './wallet-upgrades.repository.js';

const EMBEDDED_WALLET_NAME = 'Embedded wallet';

/** As wallets are shown. */
const ADDRESS = /^[A-Za-z0-9]{1,255}$/;

/** The user to make wallets for. */
export interface WalletOwner {
  readonly userId: string;
  /** Created in the same transaction: no other transaction knows the user yet. */
  readonly created: boolean;
}

/** The wallets that a user lacked at the time of the check. */
export interface WalletDraft {
  readonly userId: string;
  readonly version: CustodyVersion;
  readonly claimed: boolean;
  readonly actor: KeyActor;
  /** Null when no wallet was missing. */
  readonly keys: PreparedKeys | null;
}

/** Overtaken by another request between draft and transaction. The caller rolls back and drafts again. */
export class StaleDraft extends Error {
  override readonly name = 'StaleDraft';
}

/** The requested wallets. */
export interface WantedWallets {
  readonly userId: string;
  /** Whether the user is to be created under this id. */
  readonly isNew: boolean;
  /** Whether the user makes the request, so that nothing has to be claimed. */
  readonly claimed: boolean;
  /** Who asks. */
  readonly actor: KeyActor;
  readonly version: CustodyVersion;
  readonly chains: readonly EmbeddedChain[];
}

/** Writes embedded wallets together with their keys, credential and event. */
@Injectable()
export class WalletMaker {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly owners: AddressOwnersRepository,
    private readonly upgrades: WalletUpgradesRepository,
    private readonly custodians: CustodianRegistry,
    private readonly credentials: CredentialWriter,
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
    private readonly checks: WalletChecks,
    private readonly signIns: SignInAddresses,
  ) {}

  /**
   * The slow half, before the transaction: keys are made, sealed and derived here. Nothing is written.
   *
   * @throws ApiError no_compatible_wallet_service_enabled, not_supported_by_custodian, 403 from a wallet rule
   */
  async draft(environmentId: EnvironmentId, wanted: WantedWallets): Promise<WalletDraft> {
    const { userId, isNew, claimed, actor, version, chains } = wanted;
    const create = this.custodians.get(version, 'create');
    const present = isNew ? [] : await this.wallets.chainsOf(environmentId, userId);
    const missing = missingChains(chains, present);
    const keys = missing.length > 0 ? await create.prepare({ environmentId, userId }, missing) : null;
    const addresses = keys?.accounts.map(({ address }) => address) ?? [];
    try {
      if (keys) assertComplete(keys, missing, version);
      await this.checks.assertAdmitted(environmentId, addresses, isNew ? null : userId);
    } catch (error) {
      if (keys) discardKeys(keys);
      throw error;
    }
    return { userId, version, claimed, actor, keys };
  }

  /**
   * The quick half: gives the owner the missing wallets of these chains. Requests racing for one user meet at the
   * unique constraints, always in the same order: the keys of the user, then the accounts by chain. Each wallet is made
   * and published by one of them.
   *
   * An owner who has imported the key of such an account already has its wallet: same address, same key. It counts as
   * made, and the others are made beside it.
   *
   * @returns the number of wallets made by this call
   * @throws StaleDraft when the draft no longer matches what the owner lacks
   * @throws ApiError conflict if the user is being deleted, wallet_address_taken if somebody else has imported the key
   *   of an account, wallet_signs_in if somebody who exported such a key signs in with it, seed_being_shared if another
   *   wallet of the keys has a shared key by now: then nothing is made
   */
  async make(
    environmentId: EnvironmentId,
    { userId, created }: WalletOwner,
    chains: readonly EmbeddedChain[],
    draft: WalletDraft,
    tx: Transaction,
  ): Promise<number> {
    // The keys may have been exported while there were wallets of them.
    if (draft.keys && !draft.keys.isNew) await this.signIns.assertNone(environmentId, draft.keys.accounts, tx);
    // Keys without a user would never be destroyed.
    const present = created ? [] : await this.wallets.holdUser(environmentId, userId, tx);
    if (!present) throw conflict();
    const missing = missingChains(chains, present);
    if (missing.length === 0) return 0;
    const { keys, version, claimed, actor } = draft;
    const accounts = keys?.accounts.filter(({ chain }) => missing.includes(chain)) ?? [];
    if (!keys || draft.userId !== userId || accounts.length < missing.length) throw new StaleDraft();
    // The wallets are sent right behind their keys; if other keys were stored first, everything is rolled back.
    const stored = keys.store(tx);
    tx.afterUndo(() => discardKeys(keys));
    const inserted = this.wallets.insertEmbedded(
      environmentId,
      {
        userId,
        name: EMBEDDED_WALLET_NAME,
        keysId: keys.keysId,
        version,
        claimed,
        accounts: accounts.map((account) => ({ ...account, id: newId() })),
      },
      tx,
    );
    inserted.catch(() => undefined);
    if (!(await stored)) throw new StaleDraft();
    const made = await inserted;
    const isMade = ({ chain }: EmbeddedAccount): boolean => made.some((wallet) => wallet.chain === chain);
    const others = accounts.filter((account) => !isMade(account));
    if (others.length > 0) await this.assertOwn(environmentId, userId, others, tx);
    if (made.length === 0) return 0;
    // The seed would have to stay for them, and with it the whole key of a wallet that is shared by now.
    if (!keys.isNew && (await this.upgrades.areShared(environmentId, userId, keys.keysId, tx))) throw seedBeingShared();
    this.ledger.record(environmentId, useOf(userId, keys, accounts.filter(isMade), actor), tx);
    const drafts = made.map((wallet) => walletEvent(WALLET_CREATED, userId, wallet));
    this.credentials.add(environmentId, userId, made.map(embeddedCredential), tx);
    await this.changes.tell(environmentId, { type: 'wallet', actor: actorOf(actor), drafts, routine: true }, tx);
    return made.length;
  }

  /** For accounts that were not inserted: another request made them, or the user has imported their keys. */
  private async assertOwn(
    environmentId: EnvironmentId,
    userId: string,
    accounts: readonly EmbeddedAccount[],
    tx: Transaction,
  ): Promise<void> {
    const owned = await this.owners.list(environmentId, userId, accounts, tx);
    const taken = owned.filter(({ isOwn }) => !isOwn).map(({ chain }) => chain);
    if (taken.length > 0) throw walletAddressTaken({ payload: { chains: taken } });
    // The conflicting rows are gone by now.
    if (owned.length < accounts.length) throw new StaleDraft();
  }
}

/**
 * A wallet whose address is not one, or that of another chain, would be nobody's for good.
 *
 * @throws Error unless there is one account for each chain
 */
function assertComplete({ accounts }: PreparedKeys, chains: readonly EmbeddedChain[], version: CustodyVersion): void {
  for (const chain of chains) {
    const [account, ...more] = accounts.filter((one) => one.chain === chain);
    if (!account || more.length > 0 || !ADDRESS.test(account.address))
      throw new Error(`The custodian of ${version} answers no account of ${chain}.`);
  }
}

/** The ledger entry for new wallets: the accounts that were made, with a digest of their public keys. */
function useOf(userId: string, keys: PreparedKeys, accounts: readonly EmbeddedAccount[], actor: KeyActor): KeyUse {
  const shown = accounts.map(({ chain, index, address }) => ({ chain, index, address }));
  const publicKeys = createHash('sha256')
    .update(accounts.map(({ publicKey }) => publicKey).join())
    .digest();
  const about = { actor, userId, keysId: keys.keysId, subject: { accounts: shown }, reason: 'wallets of the user' };
  return { operation: keys.isNew ? 'create' : 'derive', ...about, digest: publicKeys, verdict: 'allowed' };
}
