import { DateField, RefField, StringField, UuidField, BooleanField } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';
import { DelegatedAccessGrant, DelegatedShareDeliveryRequestEncryptedDelegatedShare } from './delegated-access.dto.js';

class DelegationPayload {
  @UuidField()
  walletId!: string;

  @UuidField()
  userId!: string;
}

class DeliveryPayload extends DelegationPayload {
  @UuidField({ description: 'The id that deliverDelegatedShare returned.' })
  deliveryId!: string;

  @StringField()
  chain!: string;

  @StringField({ description: 'The address of the wallet.' })
  publicKey!: string;

  @RefField(() => DelegatedShareDeliveryRequestEncryptedDelegatedShare, {
    description: "What the user sealed to the team's key.",
  })
  encryptedDelegatedShare!: DelegatedShareDeliveryRequestEncryptedDelegatedShare;

  @RefField(() => DelegatedAccessGrant)
  grant!: DelegatedAccessGrant;

  @DateField()
  expiresAt!: Date;
}

class UsePayload extends DelegationPayload {
  @UuidField({ description: 'The id returned by delegatedSignMessage.' })
  roomId!: string;

  @StringField({ description: 'The kind of what was signed.' })
  kind!: string;

  @StringField({ description: 'What was signed, in hexadecimal, as recorded in the key ledger.' })
  digest!: string;
}

class SettingsPayload extends DelegationPayload {
  @BooleanField()
  hasDeniedDelegatedAccess!: boolean;
}

export const DELEGATION_CREATED = defineEvent(
  'wallet.delegation.created',
  "A user granted the team's servers access to a wallet; the event carries the credential sealed to their key.",
  { payload: DeliveryPayload },
);
export const DELEGATION_REVOKED = defineEvent(
  'wallet.delegation.revoked',
  'Access to a wallet ended: its user or the team revoked it, or the wallet was upgraded.',
  { payload: DelegationPayload },
);
export const DELEGATION_USED = defineEvent('wallet.delegation.used', "A server signed with a user's wallet.", {
  payload: UsePayload,
});
export const WALLET_SETTINGS_UPDATED = defineEvent(
  'wallet.settings.updated',
  'A user decided whether access to a wallet may be delegated.',
  { payload: SettingsPayload },
);
