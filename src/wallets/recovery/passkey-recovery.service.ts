import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { isSurelyUnsent } from '../../providers/index.js';
import { KeyNotices } from '../notices/key-notices.js';
import { ownWalletEvent } from '../record/wallet.events.js';
import { codeHash, PasskeyRecoveriesRepository } from './passkey-recoveries.repository.js';
import type { InitPasskeyRecoveryRequest, InitPasskeyRecoveryResponse } from './recovery.dto.js';
import { noPasskeyToRecover } from './recovery.errors.js';
import { PASSKEY_RECOVERY_STARTED } from './recovery.events.js';
import { RecoveryMails } from './recovery-mails.js';
import { RecoveryWallets } from './recovery-wallets.js';
import { sealedCode, targetKeyOf } from './sealed-code.js';

const CODE_BYTES = 32;

/** The first half: mails the user a code with which a new passkey is made. */
@Injectable()
export class PasskeyRecovery {
  constructor(
    private readonly wallets: RecoveryWallets,
    private readonly recoveries: PasskeyRecoveriesRepository,
    private readonly mails: RecoveryMails,
    private readonly notices: KeyNotices,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ends a recovery that is already open, once the mail has left: with a code that certainly never arrives, the earlier
   * one stays. If the service stops in between, the code of the new mail is worthless and nothing else has changed.
   *
   * @throws ApiError validation_failed, not_found, wallet_not_claimed, wallet_recovery_off, no_recovery_email,
   *   too_many_requests, no_passkey_to_recover, mail_unavailable
   */
  async begin(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, keyvaultRecoveryTargetPublicKey: text }: InitPasskeyRecoveryRequest,
    client: ClientOrigin,
  ): Promise<InitPasskeyRecoveryResponse> {
    const target = text === null ? null : await targetKeyOf('keyvaultRecoveryTargetPublicKey', text);
    const { userId, sessionId } = caller;
    const wallet = await this.wallets.own(environmentId, userId, walletId);
    const begun = ownWalletEvent(PASSKEY_RECOVERY_STARTED, userId, await this.wallets.shown(environmentId, wallet));
    const id = newId();
    await this.mails.within(environmentId, userId, 'passkey', async () => {
      const secret = randomBytes(CODE_BYTES);
      const challenge = secret.toString('base64url');
      const binding = { purpose: 'passkey-recovery/v1', environmentId, userId, walletId: wallet.walletId, id } as const;
      const code = target ? await sealedCode(target, binding, secret) : challenge;
      const recovery = { id, userId, sessionId, walletId: wallet.walletId, challengeHash: codeHash(challenge) };
      const addressIn = async (tx: Transaction): Promise<string> => {
        await this.wallets.lockWithWallet(environmentId, userId, wallet, tx);
        return this.mails.addressOf(environmentId, userId, tx);
      };
      const address = await this.work.run(async (tx) => {
        const found = await addressIn(tx);
        if (!(await this.recoveries.hasPasskey(environmentId, userId, tx))) throw noPasskeyToRecover();
        return found;
      });
      const open = (): Promise<void> =>
        this.work.run(async (tx) => {
          // Codes go elsewhere since, so this one stays worthless, like any that was mailed before.
          if ((await addressIn(tx)) !== address) return;
          if (!(await this.recoveries.open(environmentId, recovery, tx))) throw noPasskeyToRecover();
          await this.outbox.append(environmentId, [begun], tx);
        });
      const mail = {
        subject: 'Your code for a new passkey',
        does: 'With this code a new passkey replaces all of your passkeys',
        code,
        lasts: 'It works once and expires after 15 minutes.',
      };
      await this.mails.send(environmentId, address, mail).catch(async (error: unknown) => {
        // It may have arrived all the same.
        if (!isSurelyUnsent(error)) await open();
        throw error;
      });
      await open();
    });
    const happened = { change: 'passkeyRecoveryBegun', address: wallet.address } as const;
    await this.notices.tell(environmentId, userId, happened, client);
    return { keyvaultRecoveryUserId: id };
  }
}
