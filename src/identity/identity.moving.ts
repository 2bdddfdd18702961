import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../database/index.js';
import { MovingPart, MovingParts, moves, stays, type ArchivedRow } from '../moving/index.js';
import { Erasure } from './accounts/erasure.entity.js';
import { UsedElevation } from './assurance/used-elevation.entity.js';
import { CodeDestination } from './codes/code-destination.entity.js';
import { CodeNetwork } from './codes/code-network.entity.js';
import { Credential } from './credentials/credential.entity.js';
import { IdentifierClaim } from './credentials/identifier-claim.entity.js';
import { emailKeyOf } from './credentials/identifiers.js';
import { AskedFieldsRow } from './custom-fields/asked-fields.entity.js';
import { CustomFieldRow } from './custom-fields/custom-field.entity.js';
import { CustomFieldValueRow } from './custom-fields/custom-field-value.entity.js';
import { DeviceConfirmation } from './devices/device-confirmation.entity.js';
import { DeviceRegistrationRow } from './devices/device-registration.entity.js';
import { PendingMerge } from './linking/pending-merge.entity.js';
import { UserMerge } from './linking/user-merge.entity.js';
import { EmailVerification } from './methods/email-code/email-verification.entity.js';
import { OauthAttempt } from './methods/oauth/oauth-attempt.entity.js';
import { OauthToken } from './methods/oauth/tokens/oauth-token.entity.js';
import { oauthTokenContext } from './methods/oauth/tokens/sealed-tokens.js';
import { PasskeyChallenge } from './methods/passkey/passkey-challenge.entity.js';
import { Passkey } from './methods/passkey/passkey.entity.js';
import { SignInLinkRow } from './methods/sign-in-link/sign-in-link.entity.js';
import { SmsBudget } from './methods/sms-code/sms-budget.entity.js';
import { SmsVerification } from './methods/sms-code/sms-verification.entity.js';
import { TelegramLogin } from './methods/telegram/telegram-login.entity.js';
import { MfaDeviceRow } from './mfa/mfa-device.entity.js';
import { MfaPasskey } from './mfa/mfa-passkey.entity.js';
import { MfaRecoveryCodes } from './mfa/mfa-recovery-codes.entity.js';
import { MfaToken } from './mfa/mfa-token.entity.js';
import { totpSecretContext } from './mfa/totp-secrets.js';
import { Nonce } from './nonces/nonce.entity.js';
import { RowsOfEarlierVersionsRepository } from './rows-of-earlier-versions.repository.js';
import { Session } from './sessions/session.entity.js';
import { UserCount } from './users/user-count.entity.js';
import { UserEntity } from './users/user.entity.js';
import { ClientEventCount } from './visits/client-event-count.entity.js';
import { VisitDay, VisitorCount } from './visits/visit-count.entities.js';
import { Visitor } from './visits/visitor.entity.js';

const place = (row: ArchivedRow) => ({ environmentId: String(row['environment_id']), id: String(row['id']) });

const UNDER_WAY = 'begun here, and over within minutes';

@Injectable()
export class IdentityMoving extends MovingPart {
  readonly moving = [
    moves(UserEntity),
    moves(Credential, { derived: { columns: ['emailKey'], make: comparedEmail } }),
    moves(IdentifierClaim),
    moves(CustomFieldRow),
    moves(CustomFieldValueRow),
    moves(DeviceRegistrationRow),
    moves(UserMerge),
    moves(Passkey),
    moves(MfaPasskey),
    moves(MfaRecoveryCodes),
    moves(MfaDeviceRow, {
      seal: {
        column: 'sealedSecret',
        by: (row) => totpSecretContext({ ...place(row), userId: String(row['user_id']) }),
      },
    }),
    moves(OauthToken, {
      seal: {
        column: 'sealedTokens',
        by: (row) => oauthTokenContext({ ...place(row), provider: String(row['provider']) }),
      },
    }),
    // Signing keys move along, so a token used here must not be usable again there.
    moves(UsedElevation),
    moves(Visitor),
    moves(ClientEventCount),
  ];
  readonly staying = [
    ...stays('everybody signs in again', Session, MfaToken, DeviceConfirmation),
    ...stays(UNDER_WAY, EmailVerification, SmsVerification, OauthAttempt, TelegramLogin, PasskeyChallenge, Nonce),
    ...stays(UNDER_WAY, PendingMerge, SignInLinkRow),
    ...stays('limits count what is sent and tried here', CodeDestination, CodeNetwork, SmsBudget),
    ...stays('what is left of a person is removed where it is, and none of it moves', Erasure),
    ...stays('counted there from what moves', UserCount, VisitorCount, VisitDay, AskedFieldsRow),
  ];

  constructor(
    private readonly earlier: RowsOfEarlierVersionsRepository,
    parts: MovingParts,
  ) {
    super(parts);
  }

  override async imported(environmentId: EnvironmentId, missed: ReadonlySet<string>, tx: Transaction): Promise<void> {
    if (missed.has('TakeSignInFromEmbeddedWallets20261127120001')) {
      await this.earlier.takeSignInFromEmbeddedWallets(environmentId, tx);
    }
    if (missed.has('CompareTextsOfCustomFields20261130150000')) {
      await this.earlier.compareTextsOfCustomFields(environmentId, tx);
    }
  }
}

const comparedEmail = ({ email }: ArchivedRow): { email_key: string | null } => ({
  email_key: typeof email === 'string' ? emailKeyOf(email) : null,
});
