import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { EmailCodeMethod, normaliseEmail, NotifiedChanges } from '../../identity/index.js';
import { KeyNotices } from '../notices/key-notices.js';
import { signedRequestRefused } from '../record/wallet.errors.js';
import type { KeyvaultSignedRequest } from '../requests/key-request.dto.js';
import { SignedRequestsRepository } from '../requests/signed-requests.repository.js';
import { SignedRequests } from '../requests/signed-requests.service.js';
import { PasskeyRecoveriesRepository } from './passkey-recoveries.repository.js';
import { RecoveryEmailsRepository } from './recovery-emails.repository.js';
import { recoveryEmailUnconfirmed } from './recovery.errors.js';
import { RECOVERY_EMAIL_UPDATED } from './recovery.events.js';
import { RecoveryWallets } from './recovery-wallets.js';

export const UPDATE_EMAIL = 'ACTIVITY_TYPE_UPDATE_USER_EMAIL';

/** A requested and confirmed address, with a callback that uses up the request and its code. */
interface Confirmed {
  readonly email: string;
  use(tx: Transaction): Promise<void>;
}

/** The address for codes and notices about a user's wallets. */
@Injectable()
export class RecoveryEmail {
  constructor(
    private readonly requests: SignedRequests,
    private readonly emails: RecoveryEmailsRepository,
    private readonly recoveries: PasskeyRecoveriesRepository,
    private readonly wallets: RecoveryWallets,
    private readonly keys: SignedRequestsRepository,
    private readonly codes: EmailCodeMethod,
    private readonly notices: KeyNotices,
    private readonly limit: NotifiedChanges,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Notifies the previous and the new address, and ends what went to the previous one: an open passkey recovery, and
   * mailed session keys. Removing an address where none is set changes nothing else.
   *
   * @param signed null to go back to the address of the account
   * @throws ApiError signed_request_refused, no_hd_wallet_found, recovery_email_unconfirmed, those of a wrong code,
   *   too_many_requests
   */
  async update(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    signed: KeyvaultSignedRequest | null,
    client: ClientOrigin,
  ): Promise<void> {
    const { userId } = caller;
    const { addresses: before, language, verified } = await this.notices.recipientsOf(environmentId, userId);
    const asked = signed && (await this.confirm(environmentId, caller, signed, client, verified));
    // Not limited for removal, which is how a user reacts to an address that is not theirs.
    if (asked) await this.limit.assertWithin(environmentId, userId);
    const isChanged = await this.work.run(async (tx) => {
      await asked?.use(tx);
      // Anything started concurrently for the previous address either ends here or goes to the new one.
      await this.wallets.lockUser(environmentId, userId, tx);
      this.recoveries.close(environmentId, userId, tx);
      this.keys.forgetMailed(environmentId, userId, tx);
      const removed = asked
        ? await this.save(environmentId, userId, asked.email, tx)
        : await this.emails.remove(environmentId, userId, tx);
      if (!removed) return false;
      const data = { userId, isSet: asked !== null };
      const draft = { event: RECOVERY_EMAIL_UPDATED, resourceId: userId, data, userId };
      await this.outbox.append(environmentId, [draft], tx);
      return true;
    });
    if (!isChanged) return;
    const addresses = [...before, ...(asked ? [asked.email] : [])];
    const happened = { change: 'recoveryEmailChanged', address: '' } as const;
    await this.notices.tellAt(environmentId, { addresses, language }, happened, client);
  }

  private async save(environmentId: EnvironmentId, userId: string, email: string, tx: Transaction): Promise<true> {
    await this.emails.save(environmentId, userId, email, tx);
    return true;
  }

  /** A verified address of the account needs no code. */
  private async confirm(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    signed: KeyvaultSignedRequest,
    client: ClientOrigin,
    verified: ReadonlySet<string>,
  ): Promise<Confirmed> {
    const request = await this.requests.verify(environmentId, caller, signed, UPDATE_EMAIL);
    const { userId, userEmail, verificationUUID, verificationToken } = request.parameters;
    if (userId !== request.keys.vaultUserId) {
      throw signedRequestRefused({ payload: { reason: 'the user is not the one of the keys' } });
    }
    const email = typeof userEmail === 'string' ? normaliseEmail(userEmail)?.normal : undefined;
    if (!email) throw recoveryEmailUnconfirmed();
    if (verified.has(email)) return { email, use: (tx) => request.use(tx) };
    if (typeof verificationUUID !== 'string' || typeof verificationToken !== 'string') throw recoveryEmailUnconfirmed();
    const proof = await this.codes.prove(environmentId, { verificationUUID, verificationToken }, client);
    if (proof.identifiers[0].identifier.value !== email) throw recoveryEmailUnconfirmed();
    return {
      email,
      use: async (tx) => {
        await request.use(tx);
        await proof.redeem(tx);
      },
    };
  }
}
