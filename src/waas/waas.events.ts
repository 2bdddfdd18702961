import { EnumField, IntegerField, StringField, UuidField } from '../common/fields/index.js';
import { SecurityEvent } from '../common/security/index.js';
import { defineEvent, type EventDraft } from '../database/index.js';
import { CHAINS, THRESHOLD_SCHEMES, type Chain } from '../identity/index.js';
import type { ShareScheme } from '../custody/index.js';

export class WalletSignedPayload {
  @UuidField({ description: 'Of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ description: 'Hexadecimal: what was signed, as the ledger of keys has it.' })
  digest!: string;

  @StringField({
    description:
      'What it was: `message`, `typedData`, `evmTransaction`, `solanaTransaction`, `suiTransaction`, `psbt`, `tonTransaction` or `tonData`.',
  })
  kind!: string;
}

export const WALLET_SIGNED = defineEvent(
  'wallet.signed',
  'A user and the service have signed together with a wallet whose key they share.',
  { payload: WalletSignedPayload },
);

export const signedEvent = (data: WalletSignedPayload): EventDraft => ({
  event: WALLET_SIGNED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});

export class WalletKeyReleasedPayload {
  @UuidField({ description: 'Of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @EnumField(THRESHOLD_SCHEMES, { description: 'The scheme under which the key is reshared.' })
  thresholdSignatureScheme!: ShareScheme;
}

export const WALLET_KEY_RELEASED = defineEvent(
  'wallet.keyReleased',
  'A user was dealt as many shares of the key of a wallet as a signature takes, and can have the whole key from now on, even if the reshare is not completed.',
  { payload: WalletKeyReleasedPayload, security: SecurityEvent.SecretRevealed },
);

export const keyReleasedEvent = (data: WalletKeyReleasedPayload): EventDraft => ({
  event: WALLET_KEY_RELEASED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});

export class WalletResharedPayload {
  @UuidField({ description: 'Of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ description: '`refresh`: new shares under the same scheme; `reshare`: under the requested one.' })
  kind!: string;

  @EnumField(THRESHOLD_SCHEMES, { description: 'How many of how many shares sign from now on.' })
  thresholdSignatureScheme!: ShareScheme;

  @IntegerField({ description: 'Generation of the shares, starting at 1. All older ones are void.' })
  generation!: number;
}

export const WALLET_RESHARED = defineEvent(
  'wallet.reshared',
  'A user and the service have new shares of the key of a wallet, whose address stays. The old shares are void.',
  { payload: WalletResharedPayload },
);

export const resharedEvent = (data: WalletResharedPayload): EventDraft => ({
  event: WALLET_RESHARED,
  resourceId: data.id,
  data: { ...data },
  userId: data.userId,
});
