import {
  BooleanField,
  DateField,
  defineEnum,
  EnumField,
  EnumListField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
  IntegerField,
} from '../../common/fields/index.js';
import type { EnumValue } from '../../common/fields/index.js';
import { WaasWalletSettings } from '../../identity/index.js';
import { NumberListField } from '../policies/number-list-field.js';
import { MESSAGE_ENCODINGS, SIGNING_KINDS } from '../signing/signing.dto.js';

const AMOUNT = /^\d{1,78}$/;
const STATES = defineEnum('DelegatedShareDeliveryResponseStatusEnum', ['accepted', 'queued']);

export class UpdateWaasWalletSettingsRequest {
  @BooleanField({ description: 'True ends existing access and prevents new access until it is false.' })
  hasDeniedDelegatedAccess!: boolean;
}

export class UpdateWaasWalletSettingsResponse {
  @UuidField()
  walletId!: string;

  @RefField(() => WaasWalletSettings)
  settings!: WaasWalletSettings;
}

/** A share sealed to the team's key. The service does not store it. */
export class DelegatedShareDeliveryRequestEncryptedDelegatedShare {
  @StringField({ min: 1, max: 255, description: 'The algorithm of the active key.', example: 'HYBRID-RSA-AES-256' })
  alg!: string;

  @StringField({ min: 1, max: 255 })
  iv!: string;

  @StringField({ max: 4096, description: 'The encrypted credential.' })
  ct!: string;

  @StringField({ min: 1, max: 255 })
  tag!: string;

  @StringField({ max: 4096, description: "The content encryption key, sealed to the team's key." })
  ek!: string;

  @StringField({ optional: true, min: 1, max: 255, description: 'Id of the active key; any other is refused.' })
  kid?: string;
}

export class DelegatedAccessGrant {
  @EnumListField(SIGNING_KINDS, {
    description: 'Kinds of content that may be signed: those of the chain of the wallet.',
  })
  kinds!: EnumValue<typeof SIGNING_KINDS>[];

  @NumberListField({ optional: true, description: 'EVM networks; defaults to all of the environment.' })
  chainIds?: number[];

  @StringListField({
    optional: true,
    max: 50,
    description:
      'The only addresses that may be sent to or called; defaults to any. Token transfers and typed data are signed only for the listed contracts.',
  })
  contracts?: string[];

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description:
      "In the smallest unit of the chain's coin, including the highest network fee that the transaction allows.",
    example: '1000000000000000',
  })
  maxPerTransaction?: string;

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description: 'The same per day, counted from midnight UTC.',
    example: '5000000000000000',
  })
  maxPerDay?: string;
}

export class DelegatedShareDeliveryRequest {
  @RefField(() => DelegatedShareDeliveryRequestEncryptedDelegatedShare)
  encryptedDelegatedShare!: DelegatedShareDeliveryRequestEncryptedDelegatedShare;

  @StringField({
    optional: true,
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    description:
      'SHA-256 of the 32 sealed bytes, in hexadecimal: required for wallets of version V1, which have no shares. Presenting the bytes proves that the delivery was opened.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  credentialHash?: string;

  @RefField(() => DelegatedAccessGrant, {
    optional: true,
    description:
      'What may be signed; defaults to messages only. Transactions need both caps, and typed data needs `contracts`.',
  })
  grant?: DelegatedAccessGrant;

  @DateField({ optional: true, description: 'When access ends: at most 30 days from now, which is also the default.' })
  expiresAt?: Date;
}

export class DelegatedShareDeliveryResponse {
  @UuidField()
  delegatedShareDeliveryId!: string;

  @EnumField(STATES, { description: 'Accepted: the event that carries it is stored.' })
  status!: EnumValue<typeof STATES>;

  @StringField({ optional: true })
  message?: string;
}

export class WaasDelegateSignMessageRequest {
  @StringField({
    max: 16_384,
    description:
      'The content to sign: a message or, with another `kind`, the transaction or PSBT as for signWithEmbeddedWallet, or typed data as JSON text.',
    example: 'I agree.',
  })
  message!: string;

  @BooleanField({ optional: true, description: 'True is refused: the content must be readable, and a digest is not.' })
  isFormatted?: boolean;

  @StringField({ optional: true, description: 'Refused: keys of version V1 sign immediately, without a room.' })
  roomId?: string;

  @EnumField(SIGNING_KINDS, { optional: true, description: 'Kind of `message`; defaults to a message.' })
  kind?: EnumValue<typeof SIGNING_KINDS>;

  @EnumField(MESSAGE_ENCODINGS, { optional: true, description: 'Encoding of the message; defaults to `utf8`.' })
  encoding?: EnumValue<typeof MESSAGE_ENCODINGS>;
}

export class DelegatedSignature {
  @StringField({ description: 'Identifies the signature in its event. There is no room to continue in.' })
  roomId!: string;

  @StringListField({ optional: true })
  serverKeygenIds?: string[];

  @StringListField({ optional: true })
  newServerKeygenIds?: string[];

  @UuidField({ optional: true })
  walletId?: string;

  @StringField({ optional: true, description: 'In the form that signWithEmbeddedWallet returns.' })
  signature?: string;

  @StringField({ optional: true, description: 'In the form that signWithEmbeddedWallet returns.' })
  signedTransaction?: string;

  @StringField({ optional: true, description: 'What was signed, in hexadecimal, as recorded in the key ledger.' })
  digest?: string;
}

export class RevokeDelegatedAccessRequest {
  @StringListField({ min: 1, max: 100, format: 'uuid' })
  walletIds!: string[];
}

export class RevokeDelegatedAccessWalletResult {
  @UuidField()
  walletId!: string;

  @BooleanField()
  success!: boolean;

  @StringField({ optional: true, description: '`not_found` if no access to such a wallet was granted.' })
  error?: string;
}

export class RevokeDelegatedAccessResponse {
  @ListField(() => RevokeDelegatedAccessWalletResult)
  results!: RevokeDelegatedAccessWalletResult[];

  @IntegerField()
  total!: number;

  @IntegerField()
  succeeded!: number;

  @IntegerField()
  failed!: number;
}
