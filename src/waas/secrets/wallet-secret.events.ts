import { EnumField, StringField, UuidField } from '../../common/fields/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { defineEvent, type EventDraft } from '../../database/index.js';
import { CHAINS, type Chain } from '../../identity/index.js';

export class WalletSecretReleasedPayload {
  @UuidField({ description: 'Id of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ description: '`passcode` or `backup-key`; never the secret itself.' })
  kind!: string;
}

export const WALLET_SECRET_RELEASED = defineEvent(
  'wallet.secretReleased',
  "A user was given the secret that opens copies of a wallet's shares.",
  { payload: WalletSecretReleasedPayload, security: SecurityEvent.SecretRevealed },
);

export const secretReleasedEvent = (data: WalletSecretReleasedPayload): EventDraft => ({
  event: WALLET_SECRET_RELEASED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});
