import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { assertPlainJson } from '../../common/http/body.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { newId } from '../../common/ids.js';
import { CustodianRegistry, keyActorOf, KeySigning, type SigningRequest } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { walletNotClaimed } from '../record/wallet.errors.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { signingRequestOf } from '../signing/signing-request.js';
import { assertSignedByCustodian } from './delegated-access.js';
import type { DelegatedSignature, WaasDelegateSignMessageRequest } from './delegated-access.dto.js';
import { noDelegatedAccess } from './delegated-access.errors.js';
import { DelegationRecords } from './delegation-records.js';
import { DelegationSettings } from './delegation-settings.js';
import { WalletDelegationsRepository } from './wallet-delegations.repository.js';

const CREDENTIAL = /^[\w-]{43}$/;

/** Signatures by a server with the wallet of a user who allowed it. */
@Injectable()
export class DelegatedSigning {
  constructor(
    private readonly settings: DelegationSettings,
    private readonly wallets: HeldWalletsRepository,
    private readonly delegations: WalletDelegationsRepository,
    private readonly records: DelegationRecords,
    private readonly signing: KeySigning,
    private readonly custodians: CustodianRegistry,
  ) {}

  /**
   * @param credential the secret sealed in the delivery, base64url
   * @throws ApiError validation_failed, not_found, no_delegated_access_to_shared_keys, delegated_access_off,
   *   no_delegated_access, wallet_not_claimed, beyond_delegated_access, and whatever `KeySigning` refuses
   */
  async sign(
    environmentId: EnvironmentId,
    caller: DashboardPrincipal,
    { walletId, credential }: { walletId: string; credential: string | undefined },
    body: WaasDelegateSignMessageRequest,
  ): Promise<DelegatedSignature> {
    const request = requestOf(body);
    const wallet = await this.wallets.findOfAnyone(environmentId, walletId);
    if (!wallet) throw notFound();
    assertSignedByCustodian(this.custodians, wallet);
    await this.settings.assertOn(environmentId);
    const given = await this.delegations.findLive(environmentId, wallet.walletId);
    if (!given || !isCredential(credential, given.credentialHash)) throw noDelegatedAccess();
    if (!wallet.isClaimed) throw walletNotClaimed();
    const { userId } = wallet;
    const roomId = newId();
    const used = { roomId, walletId: wallet.walletId, userId, kind: request.kind };
    const signed = await this.signing.sign({ ...wallet, environmentId }, request, {
      actor: keyActorOf(caller),
      stillThere: async (tx, digest) => {
        if (!(await this.wallets.hold(environmentId, userId, wallet, tx))) return false;
        if (!(await this.delegations.hold(environmentId, wallet.walletId, given.id, tx))) throw noDelegatedAccess();
        await this.records.used(environmentId, caller, { ...used, digest: digest.toString('hex') }, tx);
        return true;
      },
    });
    return { roomId, walletId: wallet.walletId, ...signed };
  }
}

function isCredential(text: string | undefined, hash: Buffer): boolean {
  if (text === undefined || !CREDENTIAL.test(text)) return false;
  return timingSafeEqual(createHash('sha256').update(Buffer.from(text, 'base64url')).digest(), hash);
}

/** @throws ApiError validation_failed */
function requestOf(body: WaasDelegateSignMessageRequest): SigningRequest {
  const { message, isFormatted = false, roomId, kind = 'message', encoding } = body;
  if (isFormatted) throw refused('isFormatted', 'must be false: a digest is not signed');
  if (roomId !== undefined) throw refused('roomId', 'is not used here');
  if (kind === 'message') return signingRequestOf({ kind, message, ...(encoding && { encoding }) });
  if (encoding !== undefined) throw refused('encoding', 'has a meaning with messages alone');
  if (kind === 'typedData') return signingRequestOf({ kind, typedData: jsonOf(message) });
  return signingRequestOf({ kind, transaction: message });
}

function jsonOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('message', 'must be JSON with the kind typedData');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('message', 'must be a JSON object with the kind typedData');
  }
  assertPlainJson(value);
  return value as Record<string, unknown>;
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message: `${field} ${message}` }]);
