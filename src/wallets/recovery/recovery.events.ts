import { BooleanField, UuidField } from '../../common/fields/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent } from '../../database/index.js';
import { WalletPayload } from '../record/wallet.dto.js';

/** Only the fact of the change; the address itself is not disclosed. */
export class RecoveryEmailPayload {
  @UuidField()
  userId!: string;

  @BooleanField({ description: 'False if codes are sent to the address of the account again.' })
  isSet!: boolean;
}

export const RECOVERY_EMAIL_UPDATED = defineEvent(
  'user.recoveryEmail.updated',
  'A user changed the address for codes and notices about their wallets.',
  { payload: RecoveryEmailPayload, security: SecurityEvent.FactorChanged },
);

export const PASSKEY_RECOVERY_STARTED = defineEvent(
  'user.passkeyRecovery.started',
  'A code was emailed with which a user can replace lost passkeys.',
  { payload: WalletPayload },
);

export const PASSKEY_RECOVERY_COMPLETED = defineEvent(
  'user.passkeyRecovery.completed',
  'A new passkey, created with the emailed code, replaced all passkeys of a user.',
  { payload: WalletPayload, security: SecurityEvent.FactorChanged },
);
