/** The provider of the process where secrets of wallets are open; null where that is this process. */
export const SIGNER_CALLS = 'SIGNER_CALLS';

/** Operations of a signer that runs elsewhere. */
export interface SignerCalls {
  /** Whether it can be asked at the moment, or was not needed yet. */
  readonly isUp: boolean;
  /** How often it had to be opened again since the start. */
  readonly restarts: number;
  /** Whether it reads sealed keys from the database itself. Then they are not read here to be handed over. */
  readonly readsRows: boolean;
  /** @throws ApiError signer_unavailable when it does not answer, and what the operation itself throws */
  call(operation: string, args: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}
