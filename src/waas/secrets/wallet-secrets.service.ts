import { Injectable } from '@nestjs/common';
import { RecentProofs, type EndUserPrincipal } from '../../auth/index.js';
import type { WalletOfShares } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { SecretReleases, type SecretReader } from './secret-releases.js';
import { SecretSealing } from './secret-sealing.js';
import type { EmbeddedWalletSecret, WalletSecretQuery } from './wallet-secret.dto.js';
import type { WalletSecretKind } from './wallet-secret.entity.js';
import { passcodeMissing, sharedWalletMissing, tooManySecretReads } from './wallet-secret.errors.js';
import { WalletSecretsRepository } from './wallet-secrets.repository.js';

const SCOPE = 'wallet:restore';

/** Releases secrets that open share copies to users who have just proved their identity. */
@Injectable()
export class WalletSecretsService {
  constructor(
    private readonly wallets: ThresholdWallets,
    private readonly secrets: WalletSecretsRepository,
    private readonly sealing: SecretSealing,
    private readonly releases: SecretReleases,
    private readonly proofs: RecentProofs,
  ) {}

  /**
   * Opens the shares of a wallet made ahead, until they are refreshed.
   *
   * @throws ApiError wallet_passcode_missing, not_found, threshold_wallet_only, wallet_not_claimed,
   *   fresh_proof_required, too_many_secret_reads
   */
  async passcode(
    environmentId: EnvironmentId,
    reader: SecretReader,
    { walletId: named }: WalletSecretQuery,
  ): Promise<EmbeddedWalletSecret> {
    const walletId = named ?? (await this.secrets.findWallet(environmentId, reader.caller.userId, 'passcode'));
    if (walletId === null) throw passcodeMissing();
    const wallet = await this.wallets.getAny(environmentId, reader.caller.userId, walletId);
    await this.assertProven(environmentId, reader.caller);
    const released = await this.release(wallet, reader, 'passcode');
    if (!released) throw passcodeMissing();
    return released;
  }

  /**
   * The second lock for copies kept elsewhere. Made on the first request, and permanent.
   *
   * @throws ApiError shared_wallet_missing, and as `passcode`
   */
  async backupKey(
    environmentId: EnvironmentId,
    reader: SecretReader,
    { walletId: named }: WalletSecretQuery,
  ): Promise<EmbeddedWalletSecret> {
    const walletId = named ?? (await this.secrets.findWallet(environmentId, reader.caller.userId, 'backup-key'));
    if (walletId === null) throw sharedWalletMissing();
    const wallet = await this.wallets.getAny(environmentId, reader.caller.userId, walletId);
    await this.assertProven(environmentId, reader.caller);
    const released = await this.release(wallet, reader, 'backup-key');
    if (released) return released;
    const { row, secret } = await this.sealing.make(wallet, 'backup-key');
    secret.wipe();
    await this.secrets.insertIfAbsent(environmentId, wallet, row);
    const made = await this.release(wallet, reader, 'backup-key');
    if (!made) throw sharedWalletMissing();
    return made;
  }

  /** Counted before anything is opened. Null when there is no such secret. @throws ApiError too_many_secret_reads */
  private async release(
    wallet: WalletOfShares,
    reader: SecretReader,
    kind: WalletSecretKind,
  ): Promise<EmbeddedWalletSecret | null> {
    const { environmentId, userId, walletId } = wallet;
    const which = { userId, walletId, kind };
    const taken = await this.secrets.take(environmentId, which);
    if (!taken) {
      const retryAfterSeconds = await this.secrets.waitSeconds(environmentId, which);
      if (retryAfterSeconds === null) return null;
      await this.releases.refused(wallet, reader, kind);
      throw tooManySecretReads({ payload: { retryAfterSeconds } });
    }
    const secret = await this.opened(wallet, reader, kind, taken).catch(async (error: unknown) => {
      // Nothing was released: a vault outage of a minute must not keep users from their shares for a day.
      await this.secrets.giveBack(environmentId, taken.id);
      throw error;
    });
    await this.releases.tell(wallet, reader);
    return { walletId, secret, source: 'platform' };
  }

  private async opened(
    wallet: WalletOfShares,
    reader: SecretReader,
    kind: WalletSecretKind,
    taken: NonNullable<Awaited<ReturnType<WalletSecretsRepository['take']>>>,
  ): Promise<string> {
    const secret = await this.sealing.open(wallet, taken);
    await this.releases.released(wallet, reader, kind);
    return secret;
  }

  /** The sign-in of the session, if at most five minutes old, or a later proof. */
  private async assertProven(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<void> {
    await this.proofs.assertRecent(environmentId, caller, SCOPE, caller.elevatedToken ?? null);
  }
}
