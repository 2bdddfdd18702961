import { EnumField, IntegerField, StringField, UuidField } from '../common/fields/index.js';
import { SecurityEvent } from '../common/security/index.js';
import { defineEvent, type EventDraft } from '../database/index.js';
import { CHAINS, THRESHOLD_SCHEMES, type Chain } from '../identity/index.js';
import type { ShareScheme } from '../custody/index.js';

export class WalletSignedPayload {
  @UuidField({ description: 'Id of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ description: 'What was signed, in hexadecimal, as recorded in the key ledger.' })
  digest!: string;

  @StringField({
    description:
      'Kind of the signed content: `message`, `typedData`, `evmTransaction`, `solanaTransaction`, `suiTransaction`, `psbt`, `tonTransaction` or `tonData`.',
  })
  kind!: string;
}

export const WALLET_SIGNED = defineEvent(
  'wallet.signed',
  'A user and the service signed jointly with a wallet whose key they share.',
  { payload: WalletSignedPayload },
);

export const signedEvent = (data: WalletSignedPayload): EventDraft => ({
  event: WALLET_SIGNED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});

export class WalletKeyReleasedPayload {
  @UuidField({ description: 'Id of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @EnumField(THRESHOLD_SCHEMES, { description: 'The new scheme of the key.' })
  thresholdSignatureScheme!: ShareScheme;
}

export const WALLET_KEY_RELEASED = defineEvent(
  'wallet.keyReleased',
  'A user was dealt enough shares of a wallet key to sign alone, and can now have the whole key, even if the reshare is not completed.',
  { payload: WalletKeyReleasedPayload, security: SecurityEvent.SecretRevealed },
);

export const keyReleasedEvent = (data: WalletKeyReleasedPayload): EventDraft => ({
  event: WALLET_KEY_RELEASED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});

export class WalletResharedPayload {
  @UuidField({ description: 'Id of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ description: '`refresh`: new shares in the same scheme; `reshare`: in the requested scheme.' })
  kind!: string;

  @EnumField(THRESHOLD_SCHEMES, { description: 'How many shares of how many now sign.' })
  thresholdSignatureScheme!: ShareScheme;

  @IntegerField({ description: 'Generation of the shares, from 1. All older ones are void.' })
  generation!: number;
}

export const WALLET_RESHARED = defineEvent(
  'wallet.reshared',
  'A user and the service have new shares of a wallet key; the address does not change. The old shares are void.',
  { payload: WalletResharedPayload },
);

export const resharedEvent = (data: WalletResharedPayload): EventDraft => ({
  event: WALLET_RESHARED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});
