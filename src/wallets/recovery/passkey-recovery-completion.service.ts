import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { LinkFlow, PasskeyRecoveryMethod, type FullUser, type SignedIn } from '../../identity/index.js';
import { KeyNotices } from '../notices/key-notices.js';
import { ownWalletEvent } from '../record/wallet.events.js';
import { codeHash, PasskeyRecoveriesRepository } from './passkey-recoveries.repository.js';
import type { CompletePasskeyRecoveryRequest, PasskeyRegistrationCredential } from './recovery.dto.js';
import { passkeyRecoveryRefused } from './recovery.errors.js';
import { PASSKEY_RECOVERY_COMPLETED } from './recovery.events.js';
import { RecoveryMails } from './recovery-mails.js';
import { RecoveryWallets } from './recovery-wallets.js';

const TRANSPORT_PREFIX = 'AUTHENTICATOR_TRANSPORT_';

/** The second half: a passkey made with the code replaces those that were lost. */
@Injectable()
export class PasskeyRecoveryCompletion {
  constructor(
    private readonly wallets: RecoveryWallets,
    private readonly recoveries: PasskeyRecoveriesRepository,
    private readonly mails: RecoveryMails,
    private readonly links: LinkFlow,
    private readonly method: PasskeyRecoveryMethod,
    private readonly notices: KeyNotices,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The try is counted before the code is checked. The user's other sessions end.
   *
   * @throws ApiError wallet_recovery_off, also if disabled after the code was sent, not_found, wallet_not_claimed,
   *   passkey_recovery_refused, captcha_refused, fresh_proof_required, those of an invalid passkey
   */
  async complete(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, attestation, challenge, captchaToken }: CompletePasskeyRecoveryRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId, sessionId } = caller;
    await this.mails.assertOn(environmentId, 'passkey');
    const wallet = await this.wallets.own(environmentId, userId, walletId);
    const shown = await this.wallets.shown(environmentId, wallet);
    const recovery = await this.recoveries.take(environmentId, { userId, sessionId, walletId: wallet.walletId });
    if (!recovery || !timingSafeEqual(codeHash(challenge), recovery.challengeHash)) throw passkeyRecoveryRefused();
    const redeem = async (tx: Transaction): Promise<void> => {
      if (!(await this.recoveries.use(environmentId, recovery.id, tx))) throw passkeyRecoveryRefused();
      await this.outbox.append(environmentId, [ownWalletEvent(PASSKEY_RECOVERY_COMPLETED, userId, shown)], tx);
    };
    const recipients = await this.notices.recipientsOf(environmentId, userId);
    const answer = { ...answerOf(attestation), challenge, redeem };
    const options = { client, captchaToken, isNotifiedElsewhere: true };
    const signedIn = await this.links.complete(environmentId, caller, this.method, answer, options);
    const happened = { change: 'passkeysReplaced', address: wallet.address } as const;
    await this.notices.tellAt(environmentId, recipients, happened, client);
    return signedIn;
  }
}

/** The browser's response in the form identity uses. */
function answerOf({ credentialId, clientDataJson, attestationObject, transports }: PasskeyRegistrationCredential) {
  return {
    attestation: {
      ...{ id: credentialId, rawId: credentialId, type: 'public-key' as const },
      response: { clientDataJson, attestationObject },
    },
    transports: transports.map((name) => name.slice(TRANSPORT_PREFIX.length).toLowerCase()),
  };
}
