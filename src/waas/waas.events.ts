import { EnumField, StringField, UuidField } from '../common/fields/index.js';
import { defineEvent, type EventDraft } from '../database/index.js';
import { CHAINS, type Chain } from '../identity/index.js';

export class WalletSignedPayload {
  @UuidField({ description: 'Of the wallet.' })
  id!: string;

  @UuidField()
  userId!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ description: 'Hexadecimal: what was signed, as the ledger of keys has it.' })
  digest!: string;

  @StringField({ description: 'What it was: `message`, `solanaTransaction` or `suiTransaction`.' })
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
});
