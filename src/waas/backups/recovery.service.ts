import { Injectable } from '@nestjs/common';
import { RecentProofs, type EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { WalletOfShares } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { OauthTokens } from '../../identity/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import type { BackupMultipleClientKeySharesResponse, RecoverMultipleClientKeySharesResponse } from './backup.dto.js';
import { backupMissing, backupStale, driveNotConnected } from './backup.errors.js';
import { BackupRecords, shownBackup } from './backup-records.js';
import type { BackupRow, ListedBackup } from './backups.repository.js';
import { GoogleDrive } from './google-drive.js';
import { ReleasedCopies } from './released-copies.js';

const SCOPE = 'wallet:restore';

/** Releases the encrypted copy of their shares to users who have just proved their identity, or to their own drive. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly records: BackupRecords,
    private readonly released: ReleasedCopies,
    private readonly proofs: RecentProofs,
    private readonly tokens: OauthTokens,
    private readonly drive: GoogleDrive,
  ) {}

  /**
   * Returns the requested copies, or all of them. A call that returns none is not counted.
   *
   * @throws ApiError not_found, fresh_proof_required, key_share_backup_missing, key_share_backup_stale,
   *   too_many_recoveries
   */
  async recover(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    keyShareIds: readonly string[] | undefined,
  ): Promise<RecoverMultipleClientKeySharesResponse> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    await this.assertProven(environmentId, caller);
    if (keyShareIds?.length === 0) return { keyShares: [] };
    const rows = await this.find(
      wallet,
      keyShareIds?.map((id) => id.toLowerCase()),
    );
    const released = await this.released.release(wallet, caller, rows, 'recovery');
    const keyShares = rows.map((row, at) => {
      const encryptedAccountCredential = released[at];
      return { ...shownBackup(row), ...(encryptedAccountCredential && { encryptedAccountCredential }) };
    });
    return { keyShares };
  }

  /**
   * Writes the copy kept by the service to the user's drive, one file per part. It leaves the service that way, so it
   * counts as a recovery.
   *
   * @throws ApiError cloud_drive_not_connected, cloud_drive_refused, vendor_unavailable, too_many_backups, and as
   *   `recover`
   */
  async copyToDrive(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
  ): Promise<BackupMultipleClientKeySharesResponse> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    await this.assertProven(environmentId, caller);
    const kept = (await this.find(wallet, undefined)).filter(({ location }) => location === 'platform');
    if (kept.length === 0) throw backupMissing();
    const account = await this.tokens.use(environmentId, caller.userId, 'google');
    if (!account) throw driveNotConnected();
    const released = await this.released.release(wallet, caller, kept, 'copy to the cloud drive of the user');
    const write = { replaced: 'googleDrive', generation: kept[0]!.generation, isProven: true } as const;
    const copies = kept.map(({ passwordEncrypted }) => inDrive(passwordEncrypted));
    for (const [at, { id }] of copies.entries()) {
      await this.drive.write(account.accessToken, `gatehouse-${wallet.walletId}-${id}.json`, released[at]!);
    }
    const recorded = await this.records.write(wallet, caller, write, () => copies);
    return { keyShares: recorded.map(shownBackup) };
  }

  /** The sign-in of the session, if at most five minutes old, or a later proof. */
  private async assertProven(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<void> {
    await this.proofs.assertRecent(environmentId, caller, SCOPE, caller.elevatedToken ?? null);
  }

  private async find(wallet: WalletOfShares, ids: readonly string[] | undefined): Promise<ListedBackup[]> {
    const rows = await this.records.list(wallet);
    const wanted = ids ? rows.filter(({ id }) => ids.includes(id)) : rows;
    if (ids && wanted.length < new Set(ids).size) throw notFound();
    const current = wanted.filter(({ isCurrent }) => isCurrent);
    if (ids ? current.length < wanted.length : current.length === 0 && wanted.length > 0) throw backupStale();
    if (current.length === 0) throw backupMissing();
    return current;
  }
}

const inDrive = (passwordEncrypted: boolean): BackupRow => ({
  id: newId(),
  location: 'googleDrive',
  passwordEncrypted,
  externalKeyShareId: null,
  keygenId: null,
  sealedCredential: null,
  masterKeyId: null,
});
