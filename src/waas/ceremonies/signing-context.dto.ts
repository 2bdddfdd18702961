import { IntegerField, JsonField, NumberField, RefField, StringField } from '../../common/fields/index.js';
import { EvmMessageField, TransactionListField, TypesField } from './context-fields.js';

const MAX_TEXT = 16_384;

export class SignMessageEvmTransaction {
  @StringField()
  to!: string;

  @NumberField()
  chainId!: number;

  @StringField({ optional: true })
  data?: string;

  @StringField({ optional: true })
  gas?: string;

  @StringField({ optional: true })
  gasPrice?: string;

  @StringField({ optional: true })
  maxFeePerGas?: string;

  @StringField({ optional: true })
  maxPriorityFeePerGas?: string;

  @NumberField({ optional: true })
  nonce?: number;

  @StringField({ optional: true })
  value?: string;
}

export class SignMessageAuthorizationSignature {
  @StringField({ optional: true })
  address?: string;

  @NumberField({ optional: true })
  chainId?: number;

  @NumberField({ optional: true })
  nonce?: number;

  @StringField({ optional: true })
  r?: string;

  @StringField({ optional: true })
  s?: string;

  @StringField({ optional: true })
  v?: string;

  @NumberField({ optional: true })
  yParity?: number;
}

export class SignMessageUserOperationData {
  @RefField(() => SignMessageAuthorizationSignature, { optional: true })
  authorization?: SignMessageAuthorizationSignature;

  @StringField({ optional: true })
  callData?: string;

  @StringField({ optional: true })
  callGasLimit?: string;

  @StringField({ optional: true })
  factory?: string;

  @StringField({ optional: true })
  factoryData?: string;

  @StringField({ optional: true })
  maxFeePerGas?: string;

  @StringField({ optional: true })
  maxPriorityFeePerGas?: string;

  @StringField({ optional: true })
  nonce?: string;

  @StringField({ optional: true })
  paymaster?: string;

  @StringField({ optional: true })
  paymasterData?: string;

  @StringField({ optional: true })
  paymasterPostOpGasLimit?: string;

  @StringField({ optional: true })
  paymasterVerificationGasLimit?: string;

  @StringField({ optional: true })
  preVerificationGas?: string;

  @StringField({ optional: true })
  sender?: string;

  @StringField({ optional: true })
  signature?: string;

  @StringField({ optional: true })
  verificationGasLimit?: string;
}

export class SignMessageEvmUserOperation {
  @NumberField({ optional: true })
  chainId?: number;

  @StringField({ optional: true })
  entryPoint?: string;

  @RefField(() => SignMessageUserOperationData, { optional: true })
  operation?: SignMessageUserOperationData;
}

export class SignMessageSvmTransaction {
  @StringField()
  chainId!: string;

  @StringField()
  method!: string;

  @TransactionListField({ description: 'Exactly one, base64 of the wire format: the same as `message`.' })
  serializedTransactions!: string[];
}

export class SignMessageSuiTransaction {
  @StringField({ min: 1, max: 255 })
  chainId!: string;

  @StringField({ max: MAX_TEXT, description: 'Base64 of the BCS of `TransactionData`: the same as `message`.' })
  serializedTransaction!: string;
}

export class SignMessageTonTransaction {
  @StringField({
    max: MAX_TEXT,
    description:
      'Base64 of a bag of cells: the external message to the wallet contract (version 5), without the signature. The same as `message`.',
  })
  serializedTransaction!: string;
}

export class SignMessageTonMessage {
  @StringField({
    min: 1,
    max: 255,
    description: 'Domain of the application that `message` is for.',
    example: 'example.com',
  })
  domain!: string;

  @IntegerField({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Time of the request: seconds since 1970.',
    example: 1_764_000_000,
  })
  timestamp!: number;
}

export class SignMessageEip7702Auth {
  @StringField()
  address!: string;

  @NumberField()
  chainId!: number;

  @NumberField()
  nonce!: number;
}

export class Eip712Domain {
  @StringField({ optional: true })
  name?: string;

  @StringField({ optional: true })
  version?: string;

  @NumberField({ optional: true })
  chainId?: number;

  @StringField({ optional: true, max: 255, pattern: /^[A-Za-z0-9]+$/ })
  verifyingContract?: string;
}

export class SignMessageEvmTypedData {
  @RefField(() => Eip712Domain)
  domain!: Eip712Domain;

  @JsonField()
  message!: Record<string, unknown>;

  @StringField()
  primaryType!: string;

  @TypesField()
  types!: Record<string, unknown>;
}

/** The meaning of the message. A wallet accepts the parts for its own chain only. */
export class SignMessageContext {
  @RefField(() => SignMessageEvmTransaction, { optional: true })
  evmTransaction?: SignMessageEvmTransaction;

  @RefField(() => SignMessageEvmUserOperation, { optional: true })
  evmUserOperation?: SignMessageEvmUserOperation;

  @RefField(() => SignMessageSvmTransaction, { optional: true })
  svmTransaction?: SignMessageSvmTransaction;

  @RefField(() => SignMessageSuiTransaction, { optional: true })
  suiTransaction?: SignMessageSuiTransaction;

  @RefField(() => SignMessageTonTransaction, { optional: true })
  tonTransaction?: SignMessageTonTransaction;

  @RefField(() => SignMessageTonMessage, {
    optional: true,
    description: 'For a TON wallet, what `message` contains: text, or bytes with `isFormatted`.',
  })
  tonMessage?: SignMessageTonMessage;

  @RefField(() => SignMessageEip7702Auth, { optional: true })
  eip7702Auth?: SignMessageEip7702Auth;

  @EvmMessageField({ optional: true, description: 'The same as `message`; bytes as `raw`, in `0x` hexadecimal.' })
  evmMessage?: unknown;

  @StringField({ optional: true, max: MAX_TEXT })
  svmMessage?: string;

  @StringField({ optional: true, max: MAX_TEXT })
  suiMessage?: string;

  @RefField(() => SignMessageEvmTypedData, { optional: true })
  evmTypedData?: SignMessageEvmTypedData;

  @StringField({ optional: true, min: 1, max: 255 })
  domain?: string;
}
