import { Injectable } from '@nestjs/common';
import { ThresholdKeys, type DealtShares } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { SecretBytes } from '../../vault/index.js';
import { BackupCopies } from '../backups/backup-copies.js';
import { BackupsRepository, type BackupRow } from '../backups/backups.repository.js';
import { SecretSealing } from '../secrets/secret-sealing.js';
import { WalletSecretsRepository, type NewWalletSecret } from '../secrets/wallet-secrets.repository.js';

/** The user has one of the dealt shares, the service the other. */
export const DEALT_SCHEME = 'TWO_OF_TWO';

/** Dealt shares are the first generation. */
const FIRST_GENERATION = 1;

/** Dealt shares, ready to be written. */
export interface SealedDealing {
  readonly dealt: DealtShares;
  /** The user's share, encrypted with the passcode and sealed. */
  readonly copies: readonly BackupRow[];
  readonly passcode: NewWalletSecret;
}

/** Shares dealt by the service, with the copy of the user's share and the passcode for it. */
@Injectable()
export class DealtCopies {
  constructor(
    private readonly keys: ThresholdKeys,
    private readonly copies: BackupCopies,
    private readonly backups: BackupsRepository,
    private readonly sealing: SecretSealing,
    private readonly secrets: WalletSecretsRepository,
  ) {}

  /** The slow half, before the transaction. Nothing is written. @param deal given a secret that is wiped afterwards */
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

  /** Stores the service's shares, by one statement. */
  async keep(environmentId: EnvironmentId, userId: string, { dealt }: SealedDealing, tx: Transaction): Promise<void> {
    await this.keys.storeDealt({ environmentId, userId }, dealt, tx);
  }

  /** Stores what the user will fetch, once the wallet exists. */
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
