import { defineEnum, EnumField, JsonField, StringField, type EnumValue } from '../../common/fields/index.js';

export const SIGNING_KINDS = defineEnum('EmbeddedWalletSigningKind', [
  'message',
  'evmTransaction',
  'typedData',
  'solanaTransaction',
  'suiTransaction',
  'tonTransaction',
  'psbt',
]);

export const MESSAGE_ENCODINGS = defineEnum('SigningMessageEncoding', ['utf8', 'hex', 'base64']);

/** Smaller than the body limit, which bounds the other fields. */
const MAX_TYPED_DATA_BYTES = 65_536;

export class SignWithEmbeddedWalletRequest {
  @EnumField(SIGNING_KINDS, {
    description: 'The kind of content to be signed. It is parsed as that kind, and refused if it is not.',
  })
  kind!: EnumValue<typeof SIGNING_KINDS>;

  @StringField({
    optional: true,
    description:
      'With kind `message`: signed with EIP-191, as is on Solana, as a personal message on Sui, or with BIP-322.',
    example: 'I agree.',
  })
  message?: string;

  @EnumField(MESSAGE_ENCODINGS, { optional: true, description: 'Encoding of `message`; defaults to `utf8`.' })
  encoding?: EnumValue<typeof MESSAGE_ENCODINGS>;

  @StringField({
    optional: true,
    description:
      'With the transaction kinds and `psbt`, unsigned: `0x` hexadecimal of EIP-2718 or RLP for EVM; base64 of the wire format for Solana, of BCS for Sui, of BIP-174 for Bitcoin, of a bag of cells for TON.',
  })
  transaction?: string;

  @JsonField({
    optional: true,
    maxBytes: MAX_TYPED_DATA_BYTES,
    description:
      'With kind `typedData`: EIP-712, with `types`, `primaryType`, `domain` (including `chainId`) and `message`. Values must fit their types: integers above 2^53 - 1 are strings, decimal or `0x` hexadecimal, and bytes are `0x` hexadecimal.',
  })
  typedData?: Record<string, unknown>;
}

export class SignedByEmbeddedWallet {
  @StringField({
    optional: true,
    description: '`0x` hexadecimal for EVM, base58 for Solana, base64 for Sui and Bitcoin messages.',
  })
  signature?: string;

  @StringField({
    optional: true,
    description:
      'The transaction with its signature: `0x` hexadecimal for EVM, base64 for Solana and PSBTs. On Sui the transaction itself is unchanged.',
  })
  signedTransaction?: string;

  @StringField({ description: 'What was signed, in hexadecimal, as recorded in the key ledger.' })
  digest!: string;
}
