/**
 * What is to be signed, with its kind declared. A bare digest is no kind: whoever signs one cannot know what it agrees
 * to.
 */
export type SigningRequest =
  | { readonly kind: 'message'; readonly message: Uint8Array }
  /** Unsigned, as EIP-2718 or RLP bytes. */
  | { readonly kind: 'evmTransaction'; readonly transaction: `0x${string}` }
  /** EIP-712. */
  | { readonly kind: 'typedData'; readonly typedData: TypedData }
  /** In wire format, with room for the signatures. */
  | { readonly kind: 'solanaTransaction'; readonly transaction: Uint8Array }
  /** BCS of `TransactionData`. */
  | { readonly kind: 'suiTransaction'; readonly transaction: Uint8Array }
  /** A bag of cells with what the contract of the wallet is told, without the signature. */
  | { readonly kind: 'tonTransaction'; readonly transaction: Uint8Array }
  /** What `signData` of TON Connect hashes: a text or bytes, for an application, at a time. */
  | { readonly kind: 'tonData'; readonly data: Uint8Array }
  /** BIP-174. */
  | { readonly kind: 'psbt'; readonly psbt: Uint8Array };

export type SigningKind = SigningRequest['kind'];

/** EIP-712, "Specification of the eth_signTypedData JSON RPC". */
export interface TypedData {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** As the chain writes it: `0x` hexadecimal for EVM, base58 for SOL, base64 for SUI, BTC and TON. */
export interface Signed {
  /** Absent where the signature is a part of the signed transaction only. */
  readonly signature?: string;
  /** The transaction with its signature in place, ready to be sent. */
  readonly signedTransaction?: string;
}
