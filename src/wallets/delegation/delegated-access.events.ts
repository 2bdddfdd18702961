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
  @UuidField({ description: 'As deliverDelegatedShare answered it.' })
  deliveryId!: string;

  @StringField()
  chain!: string;

  @StringField({ description: 'The address of the wallet.' })
  publicKey!: string;

  @RefField(() => DelegatedShareDeliveryRequestEncryptedDelegatedShare, {
    description: 'What the user sealed to the key of the team.',
  })
  encryptedDelegatedShare!: DelegatedShareDeliveryRequestEncryptedDelegatedShare;

  @RefField(() => DelegatedAccessGrant)
  grant!: DelegatedAccessGrant;

  @DateField()
  expiresAt!: Date;
}

class UsePayload extends DelegationPayload {
  @UuidField({ description: 'As delegatedSignMessage answered it.' })
  roomId!: string;

  @StringField({ description: 'The kind of what was signed.' })
  kind!: string;

  @StringField({ description: 'Hexadecimal: what was signed, as the ledger of keys has it.' })
  digest!: string;
}

class SettingsPayload extends DelegationPayload {
  @BooleanField()
  hasDeniedDelegatedAccess!: boolean;
}

export const DELEGATION_CREATED = defineEvent(
  'wallet.delegation.created',
  'A user gave the servers of the team access to a wallet; it carries what was sealed to their key.',
  { payload: DeliveryPayload },
);
export const DELEGATION_REVOKED = defineEvent(
  'wallet.delegation.revoked',
  'Access to a wallet is over: its user or the team took it back, or the wallet was upgraded.',
  { payload: DelegationPayload },
);
export const DELEGATION_USED = defineEvent('wallet.delegation.used', 'A server signed with the wallet of a user.', {
  payload: UsePayload,
});
export const WALLET_SETTINGS_UPDATED = defineEvent(
  'wallet.settings.updated',
  'A user decided whether access to a wallet may be given.',
  { payload: SettingsPayload },
);
