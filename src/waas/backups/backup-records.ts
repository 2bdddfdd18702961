import { Injectable } from '@nestjs/common';
import { freshProofRequired } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import {
  KeyLedger,
  keyActorOf,
  protocolOf,
  ThresholdKeys,
  type WalletOfShares,
  type ShareScheme,
} from '../../custody/index.js';
import { UnitOfWork } from '../../database/index.js';
import type { WalletKeyShareInfo } from '../../identity/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { backupStale, tooManyBackups } from './backup.errors.js';
import { backedUpEvent } from './backup.events.js';
import { BackupsRepository, MAX_BACKUPS, type BackupRow } from './backups.repository.js';
import type { BackupPlace } from './key-share-backup.entity.js';

/** From the present copies, the copies there should be; some of them may already be present. */
export type Choice = (current: readonly BackupRow[], scheme: ShareScheme) => readonly BackupRow[];

/** The parameters of a write, apart from the choice of copies. */
export interface BackupWrite {
  /** Copies at this place that are not chosen are deleted. */
  readonly replaced: BackupPlace | null;
  /** Generation of the copied shares, if the client states it. Copies of any other than the present one are refused. */
  readonly generation: number | undefined;
  /** Whether the caller has just proved their identity. Otherwise no present copy is replaced. */
  readonly isProven: boolean;
}

/** Writes which copies exist of a wallet's shares, together with the ledger entry and the event. */
@Injectable()
export class BackupRecords {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly keys: ThresholdKeys,
    private readonly backups: BackupsRepository,
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
    private readonly work: UnitOfWork,
  ) {}

  /** Copies of the present shares and of earlier ones. */
  list({ environmentId, ...wallet }: WalletOfShares): ReturnType<BackupsRepository['list']> {
    return this.backups.list(environmentId, wallet);
  }

  /**
   * One writer per wallet at a time, and none while its shares are replaced. Copies of replaced shares are deleted. If
   * nothing changes, there is no event and no ledger entry.
   *
   * @returns the chosen copies
   * @throws ApiError not_found when user or wallet were deleted, key_share_backup_stale, fresh_proof_required,
   *   too_many_backups, and what `choose` throws
   */
  async write(
    wallet: WalletOfShares,
    actor: Actor & Parameters<typeof keyActorOf>[0],
    { replaced, generation: copied, isProven }: BackupWrite,
    choose: Choice,
  ) {
    const { environmentId, userId, walletId, keysId, chain, address } = wallet;
    return this.work.run(async (tx) => {
      if (!(await this.backups.lockUser(environmentId, userId, tx))) throw notFound();
      if (!(await this.wallets.hold(wallet, tx))) throw notFound();
      const { generation, scheme } = await this.keys.hold(wallet, tx);
      if (copied !== undefined && copied !== generation) throw backupStale({ payload: { generation } });
      const shares = { userId, walletId, keysId, generation };
      const present = (await this.backups.list(environmentId, shares, tx)).filter(({ isCurrent }) => isCurrent);
      const chosen = choose(present, scheme);
      const going = present.filter((row) => row.location === replaced && !isAmong(chosen, row));
      if (going.length > 0 && !isProven) throw freshProofRequired();
      const added = [...new Set(chosen)].filter((row) => !isAmong(present, row));
      const staying = present.filter((row) => !isAmong(going, row));
      if (added.some(isOfClient) && [...staying, ...added].filter(isOfClient).length > MAX_BACKUPS)
        throw tooManyBackups();
      const goingIds = going.map(({ id }) => id);
      const gone = await this.backups.deleteOld(environmentId, shares, goingIds, tx);
      if (gone === 0 && added.length === 0) return chosen;
      await this.backups.insert(environmentId, shares, added, tx);
      const locations = [...new Set(chosen.map(({ location }) => location))].sort();
      const subject = { walletId, chain, address, protocol: protocolOf(wallet), generation, locations };
      const use = { actor: keyActorOf(actor), userId, keysId, subject, reason: 'backup', digest: null };
      this.ledger.record(environmentId, { operation: 'backup', ...use, verdict: 'allowed' }, tx);
      const drafts = [backedUpEvent({ id: walletId, userId, chain, locations })];
      await this.changes.tell(environmentId, { type: 'wallet', actor, drafts }, tx);
      return chosen;
    });
  }
}

const isAmong = (rows: readonly BackupRow[], { id }: BackupRow): boolean => rows.some((row) => row.id === id);

/** Recorded by a client. What the service stores itself is replaced as a whole, so it needs no limit. */
const isOfClient = ({ externalKeyShareId }: BackupRow): boolean => externalKeyShareId !== null;

/** A copy as the API shows it. */
export const shownBackup = ({
  id,
  location,
  passwordEncrypted,
  externalKeyShareId,
}: Pick<BackupRow, 'id' | 'location' | 'passwordEncrypted' | 'externalKeyShareId'>): WalletKeyShareInfo => ({
  id,
  backupLocation: location,
  passwordEncrypted,
  ...(externalKeyShareId !== null && { externalKeyShareId }),
});
