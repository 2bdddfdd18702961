import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { base58 } from '@scure/base';
import { StepUp, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { newId } from '../../common/ids.js';
import { KeyExport, keyActorOf, kemOf } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SigningKeys } from '../../environments/index.js';
import { HeldWalletsRepository, type HeldWallet } from '../signing/held-wallets.repository.js';
import { KeyNotices } from '../notices/key-notices.js';
import { exportNotReady, walletNotClaimed } from '../record/wallet.errors.js';
import { exportBundle, exportInfo } from './export-bundle.js';
import { ExportEvents } from './export-events.js';
import type { ExportWaasWalletPrivateKeyRequest, OpenRoomResponseWithServerKeygenIds } from './wallet-export.dto.js';
import { WalletExportsRepository, type ExportClaim } from './wallet-exports.repository.js';

/** Longer than the base58 text of any accepted public key. */
const MAX_KEY_TEXT = 100;

/** Exports of private keys, sealed to a key made by the user: requested first, then fetched once. */
@Injectable()
export class WalletExports {
  constructor(
    private readonly exports: WalletExportsRepository,
    private readonly wallets: HeldWalletsRepository,
    private readonly keys: KeyExport,
    private readonly signingKeys: SigningKeys,
    private readonly notices: KeyNotices,
    private readonly events: ExportEvents,
    private readonly stepUp: StepUp,
  ) {}

  /**
   * The fresh proof is used up once everything else is valid, so that a mistake does not cost another one.
   *
   * @throws ApiError validation_failed when `exportId` is not a public key, not_found, wallet_not_claimed, refusal by a
   *   policy, fresh_proof_required, not_supported_by_custodian, too_many_requests, and mail_unavailable and
   *   mail_budget_used_up where the export is delayed
   */
  async open(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, elevated, client }: { walletId: string; elevated: string | null; client: ClientOrigin },
    request: ExportWaasWalletPrivateKeyRequest,
  ): Promise<OpenRoomResponseWithServerKeygenIds> {
    if (request.addressType !== undefined) throw refused('addressType', 'a wallet of this version has one address');
    const publicKey = publicKeyOf(request.exportId);
    const kem = await kemOf(publicKey);
    if (!kem) throw refused('exportId', 'exportId must be base58 of a public key of P-256 or X25519');
    const { userId, sessionId } = caller;
    const wallet = await this.ownWallet(environmentId, userId, walletId);
    const { keysId, chain, address } = wallet;
    const subject = { walletId: wallet.walletId, chain, address };
    const use = { actor: keyActorOf(caller), userId, keysId, subject, reason: reasonOf(publicKey) };
    await this.keys.assertAllowed({ environmentId, chain }, use);
    await this.stepUp.assertGiven(environmentId, caller, 'wallet:export', elevated);
    const activityId = newId();
    const claim = { activityId, userId, sessionId, walletId: wallet.walletId };
    await this.keys.counted(environmentId, userId, wallet, async () => {
      await this.stepUp.assertFresh(environmentId, caller, 'wallet:export', elevated);
      const opened = await this.exports.open(environmentId, claim, { kem, publicKey }, this.keys.delayHours);
      if (!opened) throw notFound();
      const { availableAt: until } = opened;
      if (until) await this.tellOfWait(environmentId, claim, { address, until, client });
      else await this.notices.tell(environmentId, userId, { change: 'exported', address }, client);
    });
    return { roomId: activityId, serverKeygenIds: [], walletId: wallet.walletId };
  }

  /**
   * @throws ApiError key_export_not_ready during its delay, not_found unless this session requested it, it has not been
   *   fetched and it has not expired
   */
  async fetch(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    activityId: string,
  ): Promise<{ exportBundle: string }> {
    const { userId, sessionId } = caller;
    const wallet = await this.ownWallet(environmentId, userId, walletId);
    const signer = await this.signingKeys.signer(environmentId);
    // Used before the key is opened: fetching twice, concurrently or after a crash, returns one key at most.
    const claim = { activityId, userId, sessionId, walletId };
    const recipient = await this.exports.use(environmentId, claim);
    if (!recipient) throw await this.refusalOf(environmentId, claim);
    const binding = { environmentId, userId, walletId: wallet.walletId, activityId };
    const message = await this.keys
      .export(
        { ...wallet, environmentId, userId },
        { ...recipient, info: exportInfo(binding) },
        {
          actor: keyActorOf(caller),
          reason: reasonOf(recipient.publicKey),
          stillThere: (tx) => this.wallets.hold(environmentId, userId, wallet, tx),
          tell: (tx) => this.events.append(environmentId, userId, wallet.walletId, tx),
        },
      )
      .catch(async (error: unknown) => {
        // Nothing was handed out: an unavailable signer must not cost the user another proof and another delay.
        await this.exports.giveBack(environmentId, claim);
        throw error;
      });
    return { exportBundle: exportBundle({ binding, kem: recipient.kem, message, address: wallet.address, signer }) };
  }

  /** The delay exists so that the user hears of the export: one they cannot be told of does not begin. */
  private async tellOfWait(
    environmentId: EnvironmentId,
    claim: ExportClaim,
    { client, ...wait }: { address: string; until: Date; client: ClientOrigin },
  ): Promise<void> {
    try {
      await this.notices.tellSurely(environmentId, claim.userId, { change: 'exportBegun', ...wait }, client);
    } catch (error) {
      await this.exports.withdraw(environmentId, claim);
      throw error;
    }
  }

  private async refusalOf(environmentId: EnvironmentId, claim: ExportClaim): Promise<Error> {
    const availableAt = await this.exports.findWaiting(environmentId, claim);
    return availableAt ? exportNotReady({ payload: { availableAt: availableAt.toISOString() } }) : notFound();
  }

  private async ownWallet(environmentId: EnvironmentId, userId: string, walletId: string): Promise<HeldWallet> {
    const wallet = await this.wallets.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    if (!wallet.isClaimed) throw walletNotClaimed();
    return wallet;
  }
}

function publicKeyOf(text: string): Buffer {
  try {
    // Decoding base58 takes quadratic time.
    return text.length > MAX_KEY_TEXT ? Buffer.alloc(0) : Buffer.from(base58.decode(text));
  } catch {
    return Buffer.alloc(0);
  }
}

/** For the ledger: the recipient the key is sealed to. */
const reasonOf = (publicKey: Uint8Array): string => `recipient ${createHash('sha256').update(publicKey).digest('hex')}`;

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
