import { Injectable } from '@nestjs/common';
import { ThresholdKeys, type DealtShares } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { SecretBytes } from '../../vault/index.js';
import { BackupCopies } from '../backups/backup-copies.js';
import { BackupsRepository, type BackupRow } from '../backups/backups.repository.js';
import { SecretSealing } from '../secrets/secret-sealing.js';
import { WalletSecretsRepository, type NewWalletSecret } from '../secrets/wallet-secrets.repository.js';

/** The user of dealt shares has one, and the service the other one. */
export const DEALT_SCHEME = 'TWO_OF_TWO';

/** Shares are dealt once, and counted from here. */
const FIRST_GENERATION = 1;

/** Shares that were dealt, ready to be written. */
export interface SealedDealing {
  readonly dealt: DealtShares;
  /** The user's share, under the passcode and sealed. */
  readonly copies: readonly BackupRow[];
  readonly passcode: NewWalletSecret;
}

/** Shares that the service deals, with the copy of the user's and what opens it. */
@Injectable()
export class DealtCopies {
  constructor(
    private readonly keys: ThresholdKeys,
    private readonly copies: BackupCopies,
    private readonly backups: BackupsRepository,
    private readonly sealing: SecretSealing,
    private readonly secrets: WalletSecretsRepository,
  ) {}

  /** The slow half, before the transaction. Nothing is written. @param deal by a lock that is wiped afterwards */
  async seal(
    owner: { readonly environmentId: EnvironmentId; readonly userId: string },
    deal: (lock: SecretBytes) => Promise<DealtShares>,
  ): Promise<SealedDealing> {
    const { row: passcode, secret } = await this.sealing.make(owner, 'passcode');
    let dealt: DealtShares;
    try {
      dealt = await deal(secret);
    } finally {
      secret.wipe();
    }
    return { dealt, copies: await this.copies.seal(owner, [dealt.copy], false), passcode };
  }

  /** The service's shares, by one statement. */
  async keep(environmentId: EnvironmentId, userId: string, { dealt }: SealedDealing, tx: Transaction): Promise<void> {
    await this.keys.storeDealt({ environmentId, userId }, dealt, tx);
  }

  /** What the user comes for, once the wallet is there. */
  async write(
    environmentId: EnvironmentId,
    wallet: { readonly userId: string; readonly walletId: string },
    { dealt, copies, passcode }: SealedDealing,
    tx: Transaction,
  ): Promise<void> {
    const shares = { ...wallet, keysId: dealt.keysId, generation: FIRST_GENERATION };
    await this.backups.insert(environmentId, shares, copies, tx);
    await this.secrets.insertIfAbsent(environmentId, wallet, passcode, tx);
  }
}
