import { createECDH } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { isSurelyUnsent } from '../../providers/index.js';
import { tooManySessionKeys } from '../record/wallet.errors.js';
import { SESSION_KEY_SECONDS } from '../requests/session-keys.service.js';
import { SignedRequestsRepository } from '../requests/signed-requests.repository.js';
import { SignedRequests } from '../requests/signed-requests.service.js';
import type { InitEmailAuthRequest, InitEmailAuthResponse } from './recovery.dto.js';
import { RecoveryMails } from './recovery-mails.js';
import { RecoveryWallets } from './recovery-wallets.js';
import { sealedCode, targetKeyOf, type TargetKey } from './sealed-code.js';

const SCALAR_BYTES = 32;

/**
 * A session key that arrives by mail: whoever is signed in as the user and reads their mailbox may stamp requests. The
 * key is sealed to the client that asked, so neither the mailbox nor the session is enough alone.
 */
@Injectable()
export class EmailAuth {
  constructor(
    private readonly wallets: RecoveryWallets,
    private readonly requests: SignedRequests,
    private readonly keys: SignedRequestsRepository,
    private readonly mails: RecoveryMails,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * @throws ApiError validation_failed, not_found, wallet_not_claimed, no_hd_wallet_found, wallet_recovery_off,
   *   no_recovery_email, too_many_requests, too_many_session_keys, mail_unavailable: then nobody has the key
   */
  async begin(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, keyvaultEmailAuthTargetPublicKey: text }: InitEmailAuthRequest,
  ): Promise<InitEmailAuthResponse> {
    const target = await targetKeyOf('keyvaultEmailAuthTargetPublicKey', text);
    const { userId } = caller;
    const wallet = await this.wallets.own(environmentId, userId, walletId);
    const { vaultUserId } = await this.requests.keysOf(environmentId, caller);
    const keyvaultApiKeyId = await this.mails.within(environmentId, userId, 'emailAuth', () =>
      this.mail(environmentId, caller, wallet.walletId, target),
    );
    return { keyvaultUserId: vaultUserId, keyvaultApiKeyId };
  }

  /** @returns the id that the code is bound to */
  private async mail(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    target: TargetKey,
  ): Promise<string> {
    const { userId } = caller;
    const id = newId();
    const binding = { purpose: 'email-auth/v1', environmentId, userId, walletId, id } as const;
    const { publicKey, secret } = newSessionKey();
    const code = await sealedCode(target, binding, secret);
    secret.fill(0);
    const key = { publicKey, ttlSeconds: SESSION_KEY_SECONDS, isMailed: true };
    const address = await this.work.run(async (tx) => {
      // Serialised, so that no call counts too few keys.
      await this.wallets.lockUser(environmentId, userId, tx);
      if ((await this.keys.register(environmentId, caller, key, tx)) === null) throw tooManySessionKeys();
      return this.mails.addressOf(environmentId, userId, tx);
    });
    const mail = {
      subject: 'Your code for the wallet',
      does: 'With this code, the application that requested it can use your wallet',
      code,
      lasts: 'It expires after 15 minutes, and can be used several times until then.',
    };
    try {
      await this.mails.send(environmentId, address, mail);
    } catch (error) {
      // An undelivered key would count against the limit until it expires.
      if (isSurelyUnsent(error)) await this.keys.forget(environmentId, caller, publicKey);
      throw error;
    }
    return id;
  }
}

/** P-256: the compressed point, hexadecimal, and the private scalar. */
function newSessionKey(): { publicKey: string; secret: Buffer } {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('hex', 'compressed');
  const scalar = pair.getPrivateKey();
  // The library omits leading zeros.
  const secret = Buffer.concat([Buffer.alloc(SCALAR_BYTES - scalar.length), scalar]);
  scalar.fill(0);
  return { publicKey, secret };
}
