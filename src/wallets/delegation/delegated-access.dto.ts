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
  @BooleanField({ description: 'True ends the access that was given, and no other is given until it is false.' })
  hasDeniedDelegatedAccess!: boolean;
}

export class UpdateWaasWalletSettingsResponse {
  @UuidField()
  walletId!: string;

  @RefField(() => WaasWalletSettings)
  settings!: WaasWalletSettings;
}

/** What was sealed to the key of the team. The service keeps nothing of it. */
export class DelegatedShareDeliveryRequestEncryptedDelegatedShare {
  @StringField({ min: 1, max: 255, description: 'The algorithm of the active key.', example: 'HYBRID-RSA-AES-256' })
  alg!: string;

  @StringField({ min: 1, max: 255 })
  iv!: string;

  @StringField({ max: 4096, description: 'The credential, encrypted.' })
  ct!: string;

  @StringField({ min: 1, max: 255 })
  tag!: string;

  @StringField({ max: 4096, description: 'The key of the encryption, sealed to the key of the team.' })
  ek!: string;

  @StringField({ optional: true, min: 1, max: 255, description: 'Of the active key; another one is refused.' })
  kid?: string;
}

export class DelegatedAccessGrant {
  @EnumListField(SIGNING_KINDS, { description: 'Kinds of what may be signed.' })
  kinds!: EnumValue<typeof SIGNING_KINDS>[];

  @NumberListField({ optional: true, description: 'Networks of EVM; all of the environment unless given.' })
  chainIds?: number[];

  @StringListField({
    optional: true,
    max: 50,
    description:
      'The only addresses that may be sent to or called; any unless given. Tokens move, and typed data is signed, for named contracts alone.',
  })
  contracts?: string[];

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description:
      "In the smallest unit of the chain's native coin, including the maximum network fee that the transaction allows.",
    example: '1000000000000000',
  })
  maxPerTransaction?: string;

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description: 'The same, from midnight UTC.',
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
      'SHA-256 of the 32 encrypted bytes, in hexadecimal: required for V1 wallets, which have no shares. Presenting the bytes proves that the delivery was decrypted.',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  credentialHash?: string;

  @RefField(() => DelegatedAccessGrant, {
    optional: true,
    description:
      'What may be signed; messages alone unless given. Transactions need both caps, and typed data needs `contracts`.',
  })
  grant?: DelegatedAccessGrant;

  @DateField({ optional: true, description: 'When access ends: in 30 days at most, and unless given.' })
  expiresAt?: Date;
}

export class DelegatedShareDeliveryResponse {
  @UuidField()
  delegatedShareDeliveryId!: string;

  @EnumField(STATES, { description: 'Accepted: the event that carries it is written.' })
  status!: EnumValue<typeof STATES>;

  @StringField({ optional: true })
  message?: string;
}

export class WaasDelegateSignMessageRequest {
  @StringField({
    max: 16_384,
    description:
      'What is to be signed: a message, or with another `kind` the transaction or PSBT as signWithEmbeddedWallet takes it, or typed data as JSON text.',
    example: 'I agree.',
  })
  message!: string;

  @BooleanField({ optional: true, description: 'True is refused: what is signed is read first, and a digest is not.' })
  isFormatted?: boolean;

  @StringField({ optional: true, description: 'Refused: keys of version V1 sign at once, in no room.' })
  roomId?: string;

  @EnumField(SIGNING_KINDS, { optional: true, description: 'What `message` is; a message unless given.' })
  kind?: EnumValue<typeof SIGNING_KINDS>;

  @EnumField(MESSAGE_ENCODINGS, { optional: true, description: 'How a message is written; `utf8` unless given.' })
  encoding?: EnumValue<typeof MESSAGE_ENCODINGS>;
}

export class DelegatedSignature {
  @StringField({ description: 'Names the signature in the event about it. Nothing is left to be done in a room.' })
  roomId!: string;

  @StringListField({ optional: true })
  serverKeygenIds?: string[];

  @StringListField({ optional: true })
  newServerKeygenIds?: string[];

  @UuidField({ optional: true })
  walletId?: string;

  @StringField({ optional: true, description: 'As signWithEmbeddedWallet answers it.' })
  signature?: string;

  @StringField({ optional: true, description: 'As signWithEmbeddedWallet answers it.' })
  signedTransaction?: string;

  @StringField({ optional: true, description: 'Hexadecimal: what was signed, as the ledger of keys has it.' })
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

  @StringField({ optional: true, description: '`not_found` where no access to such a wallet was given.' })
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
