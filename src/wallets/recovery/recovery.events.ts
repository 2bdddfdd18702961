import { BooleanField, UuidField } from '../../common/fields/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent } from '../../database/index.js';
import { WalletPayload } from '../record/wallet.dto.js';

/** That it changed; the address itself is nobody else's matter. */
export class RecoveryEmailPayload {
  @UuidField()
  userId!: string;

  @BooleanField({ description: 'False when codes go to the address of the account again.' })
  isSet!: boolean;
}

export const RECOVERY_EMAIL_UPDATED = defineEvent(
  'user.recoveryEmail.updated',
  'A user changed the address that codes and notices about their wallets go to.',
  { payload: RecoveryEmailPayload, security: SecurityEvent.FactorChanged },
);

export const PASSKEY_RECOVERY_STARTED = defineEvent(
  'user.passkeyRecovery.started',
  'A code was mailed by which a user may replace the passkeys that they have lost.',
  { payload: WalletPayload },
);

export const PASSKEY_RECOVERY_COMPLETED = defineEvent(
  'user.passkeyRecovery.completed',
  'A new passkey, made under the code that was mailed, took the place of all passkeys of a user.',
  { payload: WalletPayload, security: SecurityEvent.FactorChanged },
);
