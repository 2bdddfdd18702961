/**
 * What is to be signed, with its declared kind. A bare digest is not a kind: its signer cannot know what it agrees to.
 */
export type SigningRequest =
  | { readonly kind: 'message'; readonly message: Uint8Array }
  /** Unsigned, as EIP-2718 or RLP bytes. */
  | { readonly kind: 'evmTransaction'; readonly transaction: `0x${string}` }
  /** EIP-712. */
  | { readonly kind: 'typedData'; readonly typedData: TypedData }
  /** In wire format, with space for the signatures. */
  | { readonly kind: 'solanaTransaction'; readonly transaction: Uint8Array }
  /** BCS of `TransactionData`. */
  | { readonly kind: 'suiTransaction'; readonly transaction: Uint8Array }
  /** A bag of cells with the request to the wallet contract, without the signature. */
  | { readonly kind: 'tonTransaction'; readonly transaction: Uint8Array }
  /** What `signData` of TON Connect hashes: text or bytes, bound to an application and a time. */
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

/** In the chain's encoding: `0x` hexadecimal for EVM, base58 for SOL, base64 for SUI, BTC and TON. */
export interface Signed {
  /** Absent if the signature is only available as part of the signed transaction. */
  readonly signature?: string;
  /** The transaction with its signature in place, ready to send. */
  readonly signedTransaction?: string;
}
