import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import {
  KeyLedger,
  THRESHOLD_CHAINS,
  type KeyActor,
  type SharedWallet,
  type SplitWallet,
  type ThresholdChain,
  type WalletOfShares,
} from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { CredentialWriter, WalletChecks } from '../../identity/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { actorOf } from '../record/wallet-actor.js';
import { embeddedCredential } from '../record/wallet-credential.js';
import {
  importedWalletExists,
  thresholdWalletOnly,
  tooManySharedWallets,
  walletNotClaimed,
} from '../record/wallet.errors.js';
import { WALLET_CREATED, walletEvent } from '../record/wallet.events.js';
import { MAX_SHARED_PER_USER } from '../record/wallet-limits.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import { HeldWalletsRepository, type HeldWallet } from '../signing/held-wallets.repository.js';
import { SignInAddresses } from './sign-in-addresses.js';

const WALLET_NAME = 'Shared wallet';
const VERSION = 'V3';
/** Version of wallets whose key is split, and put together on the user's device. */
const SPLIT = 'V2';

/** A wallet whose key is shared by its user and the service, or was split by the user's device. */
export interface MadeWallet {
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
  readonly scheme: string;
  /** How the key was created, for the ledger. */
  readonly reason: string;
  /** Whether the user takes part. A wallet made ahead has to be claimed. */
  readonly claimed: boolean;
  readonly account: { readonly chain: ThresholdChain | 'EVM'; readonly address: string; readonly publicKey: string };
}

/** Wallets of versions V3 and V2, for which the service has too few shares to sign alone. */
@Injectable()
export class ThresholdWallets {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly held: HeldWalletsRepository,
    private readonly credentials: CredentialWriter,
    private readonly checks: WalletChecks,
    private readonly signIns: SignInAddresses,
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws ApiError not_found unless it is a wallet of the user, threshold_wallet_only, wallet_not_claimed */
  async get(environmentId: EnvironmentId, userId: string, walletId: string): Promise<SharedWallet> {
    const wallet = await this.held.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    if (!wallet.isClaimed) throw walletNotClaimed();
    return sharedOf(environmentId, userId, wallet, wallet.dealtKeysId);
  }

  /** The wallet if its key is split; null for any other or unknown wallet. @throws ApiError wallet_not_claimed */
  async findSplit(environmentId: EnvironmentId, userId: string, walletId: string): Promise<SplitWallet | null> {
    const wallet = await this.held.find(environmentId, userId, walletId);
    if (wallet?.version !== SPLIT) return null;
    if (!wallet.isClaimed) throw walletNotClaimed();
    return splitOf(environmentId, userId, wallet);
  }

  /** A wallet with either kind of shared key. @throws ApiError not_found, threshold_wallet_only, wallet_not_claimed */
  async getAny(environmentId: EnvironmentId, userId: string, walletId: string): Promise<WalletOfShares> {
    const wallet = await this.held.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    if (!wallet.isClaimed) throw walletNotClaimed();
    if (wallet.version === SPLIT) return splitOf(environmentId, userId, wallet);
    return sharedOf(environmentId, userId, wallet, wallet.dealtKeysId);
  }

  /** The same for any user of the environment, for its team. @throws ApiError not_found, threshold_wallet_only */
  async getOfAnyone(environmentId: EnvironmentId, walletId: string): Promise<WalletOfShares> {
    const wallet = await this.held.findOfAnyone(environmentId, walletId);
    if (!wallet) throw notFound();
    if (wallet.version === SPLIT) return splitOf(environmentId, wallet.userId, wallet);
    return sharedOf(environmentId, wallet.userId, wallet, null);
  }

  /** Locks the wallet until the end of the transaction. False when it was hidden or deleted, or has other keys. */
  hold({ environmentId, userId, ...wallet }: WalletOfShares, tx: Transaction): Promise<boolean> {
    return this.held.hold(environmentId, userId, wallet, tx);
  }

  /**
   * The same, for callers that replace the shares: nobody signs, copies shares or makes wallets of the user meanwhile.
   * Locks the user first, as does every caller that locks both.
   */
  async holdAlone({ environmentId, userId, ...wallet }: WalletOfShares, tx: Transaction): Promise<boolean> {
    if (!(await this.lockUser(environmentId, userId, tx))) return false;
    return this.held.holdAlone(environmentId, userId, wallet, tx);
  }

  /** @throws ApiError too_many_wallets */
  async assertRoomForOne(environmentId: EnvironmentId, userId: string): Promise<void> {
    assertFewer(await this.wallets.countShared(environmentId, userId));
  }

  /** Chains on which the user has such a wallet, hidden or not. */
  sharedChainsOf(environmentId: EnvironmentId, userId: string, tx?: Transaction): Promise<ThresholdChain[]> {
    return this.wallets.sharedChainsOf(environmentId, userId, tx);
  }

  /** Waits for others that create or delete wallets of the user. False when the user was deleted. */
  lockUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return this.wallets.lockUser(environmentId, userId, tx);
  }

  /** @param userId null for a user about to be created. @throws ApiError 403 from a wallet rule */
  async assertAdmitted(environmentId: EnvironmentId, userId: string | null, address: string): Promise<void> {
    await this.checks.assertAdmitted(environmentId, [address], userId);
  }

  /**
   * Writes the wallet together with its shares, credential, ledger entry and event.
   *
   * @param keep stores the service's shares, by one statement
   * @throws ApiError not_found for a deleted user, too_many_wallets, wallet_signs_in, imported_wallet_exists
   */
  async make(
    environmentId: EnvironmentId,
    { userId, walletId, keysId, scheme, reason, claimed, account }: MadeWallet,
    { actor, keep }: { actor: KeyActor; keep: () => Promise<void> },
    tx: Transaction,
  ): Promise<void> {
    const isSplit = account.chain === 'EVM';
    // A jointly generated key cannot be chosen; a device may split a key it already had.
    if (isSplit) await this.signIns.assertNone(environmentId, [account], tx);
    if (!(await this.lockUser(environmentId, userId, tx))) throw notFound();
    assertFewer(await this.wallets.countShared(environmentId, userId, tx));
    await keep();
    const accounts = [{ ...account, id: walletId, index: null, path: null }];
    const version = isSplit ? SPLIT : VERSION;
    const protocol = isSplit ? 'SHAMIR' : 'FROST';
    const draft = { userId, name: WALLET_NAME, keysId, version, claimed, accounts } as const;
    const made = await this.wallets.insertEmbedded(environmentId, draft, tx);
    if (made.length === 0) throw importedWalletExists();
    const { chain, address, publicKey } = account;
    const subject = { walletId, chain, address, protocol, scheme };
    const digest = createHash('sha256').update(publicKey).digest();
    const about = { actor, userId, keysId, subject, reason, digest };
    this.ledger.record(environmentId, { operation: 'create', ...about, verdict: 'allowed' }, tx);
    this.credentials.add(environmentId, userId, made.map(embeddedCredential), tx);
    const drafts = made.map((wallet) => walletEvent(WALLET_CREATED, userId, wallet));
    await this.changes.tell(environmentId, { type: 'wallet', actor: actorOf(actor), drafts, routine: true }, tx);
  }
}

/** @param dealtKeysId for a wallet being upgraded: the dealt shares, for its user to refresh */
function sharedOf(
  environmentId: EnvironmentId,
  userId: string,
  { walletId, keysId: present, address, version, chain: name }: HeldWallet,
  dealtKeysId: string | null,
): SharedWallet {
  const chain = THRESHOLD_CHAINS.find((one) => one === name);
  const keysId = version === VERSION ? present : dealtKeysId;
  if (keysId === null || !chain) throw thresholdWalletOnly();
  return { environmentId, userId, walletId, keysId, chain, address };
}

function splitOf(environmentId: EnvironmentId, userId: string, { walletId, keysId, address }: HeldWallet): SplitWallet {
  return { environmentId, userId, walletId, keysId, chain: 'EVM', address };
}

function assertFewer(count: number): void {
  if (count >= MAX_SHARED_PER_USER) throw tooManySharedWallets();
}
