import { Injectable } from '@nestjs/common';
import {
  freshProofRequired,
  RateLimiter,
  RecentProofs,
  type DashboardPrincipal,
  type EndUserPrincipal,
} from '../../auth/index.js';
import { ApiError, notFound } from '../../common/errors/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { isUuid, newId } from '../../common/ids.js';
import type { ShareScheme, WalletOfShares } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ServiceSessions } from '../../identity/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { BackupCopies } from './backup-copies.js';
import { backupPlaceRefused, backupSchemeDiffers } from './backup.errors.js';
import { BackupRecords, shownBackup } from './backup-records.js';
import type {
  BackupKeySharesToLocationRequest,
  BackupKeySharesToLocationResponse,
  BackupKeySharesToLocationsRequest,
  BackupKeySharesToLocationsResponse,
  BackupKeySharesToLocationsWithUserIdRequest,
  BackupKeySharesToLocationsWithUserIdRequestLocations as Location,
  BackupMultipleClientKeySharesRequest,
  BackupMultipleClientKeySharesResponse,
} from './backup.dto.js';
import type { BackupRow } from './backups.repository.js';
import type { BackupPlace } from './key-share-backup.entity.js';

const SCOPE = 'wallet:restore';

/** Each write seals, locks the wallet and publishes an event. */
export const WRITES = { name: 'key-share-backups', limit: 30, windowSeconds: 3_600 } as const;

const RECORDED = 'The backup was recorded.';

/** Backup copies of users' shares: those kept by the service, and where others are kept. */
@Injectable()
export class BackupsService {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly records: BackupRecords,
    private readonly copies: BackupCopies,
    private readonly sessions: ServiceSessions,
    private readonly proofs: RecentProofs,
    private readonly limiter: RateLimiter,
  ) {}

  /** A token for backups only, valid for one minute. */
  async token(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<{ token: string }> {
    return { token: await this.sessions.issue(environmentId, 'backup', caller) };
  }

  /**
   * Stores what a device has encrypted, in place of any previous copy. That may have been the only copy, so replacing
   * it requires the same proof as recovery.
   *
   * @throws ApiError validation_failed, not_found, too_many_requests, key_share_backup_stale, fresh_proof_required
   */
  async store(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    { encryptedAccountCredentials, passwordEncrypted, generation }: BackupMultipleClientKeySharesRequest,
  ): Promise<BackupMultipleClientKeySharesResponse> {
    if (encryptedAccountCredentials.length === 0 || encryptedAccountCredentials.includes('')) {
      throw empty('encryptedAccountCredentials');
    }
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    return this.counted(wallet, async () => {
      const isProven = await this.isProven(environmentId, caller);
      const present = (await this.records.list(wallet)).filter(({ isCurrent }) => isCurrent);
      const sent = [wallet, encryptedAccountCredentials, passwordEncrypted] as const;
      const copies = (await this.copies.findSame(present, ...sent)) ?? (await this.copies.seal(...sent));
      const write = { replaced: 'platform', generation, isProven } as const;
      const kept = await this.records.write(wallet, caller, write, () => copies);
      return { keyShares: kept.map(shownBackup) };
    });
  }

  /** @throws ApiError not_found, backup_location_not_recorded, key_share_backup_stale, too_many_backups */
  async recordOne(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    { location, generation }: BackupKeySharesToLocationRequest,
  ): Promise<BackupKeySharesToLocationResponse> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    await this.counted(wallet, () => this.record(wallet, caller, { locations: [{ location }], generation }));
    return { message: RECORDED, walletId: wallet.walletId, location };
  }

  /**
   * @throws ApiError validation_failed, not_found, backup_location_not_recorded, backup_scheme_differs,
   * key_share_backup_stale, too_many_backups
   */
  async recordAll(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    request: BackupKeySharesToLocationsRequest,
  ): Promise<BackupKeySharesToLocationsResponse> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    return this.counted(wallet, () => this.record(wallet, caller, request));
  }

  /** The same by a server, for a wallet of a user who may not have signed in yet. @throws the same */
  async recordOfUser(
    environmentId: EnvironmentId,
    actor: DashboardPrincipal,
    walletId: string,
    request: BackupKeySharesToLocationsWithUserIdRequest,
  ): Promise<BackupKeySharesToLocationsResponse> {
    const wallet = await this.wallets.getOfAnyone(environmentId, walletId);
    if (wallet.userId !== request.userId.toLowerCase()) throw notFound();
    return this.record(wallet, actor, request);
  }

  /** Checked before the copies are locked; only then is it known whether it is needed. @throws ApiError 401 */
  private async isProven(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<boolean> {
    try {
      await this.proofs.assertRecent(environmentId, caller, SCOPE, caller.elevatedToken ?? null);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === freshProofRequired().code) return false;
      throw error;
    }
  }

  /**
   * One limit for all wallets of a user; servers have their own. Failures of the service are not counted.
   *
   * @throws ApiError too_many_requests, and what the work throws
   */
  private counted<T>({ environmentId, userId }: WalletOfShares, work: () => Promise<T>): Promise<T> {
    return this.limiter.within(WRITES, `${environmentId}:${userId}`, work);
  }

  private async record(
    wallet: WalletOfShares,
    actor: EndUserPrincipal | DashboardPrincipal,
    { locations, generation }: Pick<BackupKeySharesToLocationsRequest, 'locations' | 'generation'>,
  ): Promise<BackupKeySharesToLocationsResponse> {
    if (locations.length === 0) throw empty('locations');
    const places = locations.map(placeOf);
    const write = { replaced: null, generation, isProven: false };
    const recorded = await this.records.write(wallet, actor, write, (current, scheme) => {
      assertScheme(locations, scheme);
      const rows: BackupRow[] = [];
      for (const place of places) rows.push([...current, ...rows].find((row) => isAt(row, place)) ?? newRow(place));
      return rows;
    });
    const { walletId } = wallet;
    const locationsWithKeyShares = recorded.map(({ id, location, externalKeyShareId }) => ({
      location,
      keyShareId: id,
      externalKeyShareId: externalKeyShareId ?? id,
    }));
    return { message: RECORDED, walletId, locationsWithKeyShares };
  }
}

const empty = (field: string): Error => invalidFields([{ field, message: `${field} must say something` }]);

type Place = Omit<Location, 'location'> & { readonly location: BackupPlace };

function placeOf(one: Location, at: number): Place {
  const { location, externalKeyShareId } = one;
  if (location === 'platform' || location === 'delegated') throw backupPlaceRefused({ payload: { location } });
  if (externalKeyShareId !== undefined && !isUuid(externalKeyShareId)) {
    const field = `locations.${at}.externalKeyShareId`;
    throw invalidFields([{ field, message: `${field} must be a UUID` }]);
  }
  return { ...one, location, ...(externalKeyShareId && { externalKeyShareId: externalKeyShareId.toLowerCase() }) };
}

function assertScheme(locations: readonly Location[], scheme: ShareScheme): void {
  const differs = locations.some(({ thresholdSignatureScheme: said }) => said !== undefined && said !== scheme);
  if (differs) throw backupSchemeDiffers({ payload: { scheme } });
}

/** Without an id, the place identifies the copy, and the participant if one is named. */
const isAt = (row: BackupRow, { location, externalKeyShareId, keygenId }: Place): boolean =>
  row.location === location &&
  (keygenId === undefined || row.keygenId === keygenId) &&
  (externalKeyShareId === undefined || row.externalKeyShareId === externalKeyShareId);

/** Only the location is recorded, so how the client has encrypted the copy is unknown. */
const newRow = ({ location, externalKeyShareId, keygenId }: Place): BackupRow => ({
  id: newId(),
  location,
  passwordEncrypted: false,
  externalKeyShareId: externalKeyShareId ?? newId(),
  keygenId: keygenId ?? null,
  sealedCredential: null,
  masterKeyId: null,
});
