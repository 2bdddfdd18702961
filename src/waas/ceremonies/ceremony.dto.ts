import {
  BooleanField,
  EnumField,
  JsonField,
  RefField,
  StringField,
  StringListField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { THRESHOLD_SCHEMES } from '../../identity/index.js';
import { WAAS_CHAINS } from '../../wallets/index.js';
import { SignMessageContext } from './signing-context.dto.js';

export type { SignMessageContext, SignMessageTonMessage } from './signing-context.dto.js';

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

export class CreateWaasAccountRequest {
  @EnumField(WAAS_CHAINS, {
    description:
      '`SVM`, `SUI`, `TON` or `BTC` (Taproot): the key is shared with FROST (version V3). `EVM`: the device generates the key and splits it (version V2).',
    example: 'SVM',
  })
  chain!: EnumValue<typeof WAAS_CHAINS>;

  @StringListField({
    maxLength: 100,
    pattern: BASE58,
    description: "X25519 public keys, generated for this ceremony: one for each of the user's participants.",
    example: ['CJJVwz8n6sEVyzWHXF3zxrVYzaMuzCcP4vVLpTEAmSPk'],
  })
  clientKeygenIds!: string[];

  @EnumField(THRESHOLD_SCHEMES, { optional: true, description: 'Defaults to `TWO_OF_TWO`.' })
  thresholdSignatureScheme?: EnumValue<typeof THRESHOLD_SCHEMES>;

  @BooleanField({ optional: true, default: false, description: 'Has no effect: key generation locks no wallet.' })
  skipLock?: boolean;

  @StringField({ optional: true, description: 'Only for `BTC`, and only `taproot`.' })
  addressType?: string;
}

export class ReshareRequest {
  @StringListField({
    maxLength: 100,
    pattern: BASE58,
    description:
      "X25519 public keys, generated for this ceremony: one for each of the user's participants in the new scheme.",
    example: ['CJJVwz8n6sEVyzWHXF3zxrVYzaMuzCcP4vVLpTEAmSPk', 'EuMpTwramrZ2BYkZi2deWLmMCVMm8x5vpkrgv4BSwVjh'],
  })
  clientKeygenIds!: string[];

  @EnumField(THRESHOLD_SCHEMES, { description: 'The current scheme of the key.', example: 'TWO_OF_TWO' })
  oldThresholdSignatureScheme!: EnumValue<typeof THRESHOLD_SCHEMES>;

  @EnumField(THRESHOLD_SCHEMES, { example: 'TWO_OF_THREE' })
  newThresholdSignatureScheme!: EnumValue<typeof THRESHOLD_SCHEMES>;

  @BooleanField({ optional: true, example: false, description: 'Refused: the service keeps all of its shares.' })
  delegateToProjectEnvironment?: boolean;

  @BooleanField({ optional: true, example: false, description: 'Refused: no share is delegated.' })
  revokeDelegation?: boolean;
}

export class WalletBitcoinConfig {
  @StringField({ optional: true, description: 'Nothing but `taproot`.' })
  addressType?: string;

  @StringField({ optional: true, description: 'Nothing but `mainnet`.' })
  network?: string;
}

export class SignMessageWithWaasRequest {
  @StringField({
    max: 16_384,
    description:
      'Text, signed as is on Solana, as a personal message on Sui, with BIP-322 on Bitcoin, with EIP-191 on EVM, and on TON with `signData` of TON Connect, with `tonMessage` in `context`; or, with a transaction in `context`, that transaction, unsigned: base64, or `0x` hexadecimal on EVM; or, with typed data in `context`, its EIP-712 hash; or, with `bitcoinConfig`, a PSBT in base64.',
    example: 'I agree.',
  })
  message!: string;

  @BooleanField({ optional: true, description: 'Whether `message` is the hexadecimal form of the bytes to be signed.' })
  isFormatted?: boolean;

  @StringField({ optional: true, description: 'A room of type `threshold` that the session has opened ahead of time.' })
  roomId?: string;

  @RefField(() => SignMessageContext, { optional: true })
  context?: SignMessageContext;

  @RefField(() => WalletBitcoinConfig, {
    optional: true,
    description: 'For a Bitcoin wallet, states that `message` is a PSBT. Each call signs one of its inputs.',
  })
  bitcoinConfig?: WalletBitcoinConfig;
}

export class OpenRoomResponse {
  @StringField()
  roomId!: string;

  @StringListField({ optional: true })
  serverKeygenIds?: string[];

  @StringListField({ optional: true })
  newServerKeygenIds?: string[];

  @UuidField({ optional: true })
  walletId?: string;

  @JsonField({
    optional: true,
    description: 'The first message of the room, in the form of getRoomMessages: with it, a signature takes two calls.',
  })
  opening?: Record<string, unknown>;
}

export class OpenRoomResponseForReshare {
  @StringField()
  roomId!: string;

  @StringListField({ description: "Keys of the service's participants in the old scheme." })
  serverKeygenIds!: string[];

  @StringListField({ description: "Keys of the service's participants in the new scheme: seal shares to these." })
  newServerKeygenIds!: string[];

  @UuidField({ optional: true })
  walletId?: string;
}

/** A key generation that has started. */
export interface OpenedKeygen extends OpenRoomResponse {
  serverKeygenIds: string[];
}
