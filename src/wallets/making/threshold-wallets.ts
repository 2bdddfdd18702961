import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import {
  KeyLedger,
  THRESHOLD_CHAINS,
  type KeyActor,
  type SharedWallet,
  type ThresholdChain,
} from '../../custody/index.js';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { CredentialWriter, WalletChecks } from '../../identity/index.js';
import { embeddedCredential } from '../record/wallet-credential.js';
import {
  importedWalletExists,
  thresholdWalletOnly,
  tooManyWallets,
  walletNotClaimed,
} from '../record/wallet.errors.js';
import { WALLET_CREATED, walletEvent } from '../record/wallet.events.js';
import { MAX_SHARED_PER_USER } from '../record/wallet-limits.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import { HeldWalletsRepository, type HeldWallet } from '../signing/held-wallets.repository.js';

const WALLET_NAME = 'Shared wallet';
const VERSION = 'V3';

/** A wallet whose key was made by its user and the service together. */
export interface MadeWallet {
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
  readonly scheme: string;
  readonly roomId: string;
  readonly account: { readonly chain: ThresholdChain; readonly address: string; readonly publicKey: string };
}

/** Wallets of version V3, of whose keys the service has too few shares to sign alone. */
@Injectable()
export class ThresholdWallets {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly held: HeldWalletsRepository,
    private readonly credentials: CredentialWriter,
    private readonly checks: WalletChecks,
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
  ) {}

  /** @throws ApiError not_found unless it is a wallet of the user, threshold_wallet_only, wallet_not_claimed */
  async get(environmentId: EnvironmentId, userId: string, walletId: string): Promise<SharedWallet> {
    const wallet = await this.held.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    if (!wallet.isClaimed) throw walletNotClaimed();
    return sharedOf(environmentId, userId, wallet);
  }

  /** The same of any user of the environment, for its team. @throws ApiError not_found, threshold_wallet_only */
  async getOfAnyone(environmentId: EnvironmentId, walletId: string): Promise<SharedWallet> {
    const wallet = await this.held.findOfAnyone(environmentId, walletId);
    if (!wallet) throw notFound();
    return sharedOf(environmentId, wallet.userId, wallet);
  }

  /** Keeps the wallet as it is until the end of the transaction. False when it was hidden or deleted. */
  hold({ environmentId, userId, walletId }: SharedWallet, tx: Transaction): Promise<boolean> {
    return this.held.hold(environmentId, userId, walletId, tx);
  }

  /** @throws ApiError too_many_wallets */
  async assertRoomForOne(environmentId: EnvironmentId, userId: string): Promise<void> {
    assertFewer(await this.wallets.countShared(environmentId, userId));
  }

  /** @throws ApiError 403 of a rule about wallets */
  async assertAdmitted(environmentId: EnvironmentId, userId: string, address: string): Promise<void> {
    await this.checks.assertAdmitted(environmentId, [address], userId);
  }

  /**
   * Writes the wallet with everything that belongs to it: shares, credential, ledger and event.
   *
   * @param keep stores the service's shares, by one statement
   * @throws ApiError not_found when the user is gone, too_many_wallets
   */
  async make(
    environmentId: EnvironmentId,
    { userId, walletId, keysId, scheme, roomId, account }: MadeWallet,
    { actor, keep }: { actor: KeyActor; keep: () => Promise<void> },
    tx: Transaction,
  ): Promise<void> {
    if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
    assertFewer(await this.wallets.countShared(environmentId, userId, tx));
    await keep();
    const accounts = [{ ...account, id: walletId, index: null, path: null }];
    const draft = { userId, name: WALLET_NAME, keysId, version: VERSION, claimed: true, accounts } as const;
    const made = await this.wallets.insertEmbedded(environmentId, draft, tx);
    if (made.length === 0) throw importedWalletExists();
    const { chain, address, publicKey } = account;
    const subject = { walletId, chain, address, protocol: 'FROST', scheme };
    const digest = createHash('sha256').update(publicKey).digest();
    const about = { actor, userId, keysId, subject, reason: `key generation ${roomId}`, digest };
    this.ledger.record(environmentId, { operation: 'create', ...about, verdict: 'allowed' }, tx);
    this.credentials.add(environmentId, userId, made.map(embeddedCredential), tx);
    const events = made.map((wallet) => walletEvent(WALLET_CREATED, userId, wallet));
    await this.outbox.append(environmentId, events, tx);
  }
}

function sharedOf(
  environmentId: EnvironmentId,
  userId: string,
  { walletId, keysId, address, version, chain: name }: HeldWallet,
): SharedWallet {
  const chain = THRESHOLD_CHAINS.find((one) => one === name);
  if (version !== VERSION || !chain) throw thresholdWalletOnly();
  return { environmentId, userId, walletId, keysId, chain, address };
}

function assertFewer(count: number): void {
  if (count >= MAX_SHARED_PER_USER)
    throw tooManyWallets({ message: 'The user has as many wallets with shared keys as may be.' });
}
