/** The provider of the process where secrets of wallets are open; null where that is this process. */
export const SIGNER_CALLS = 'SIGNER_CALLS';

/** Operations of a signer that runs elsewhere. */
export interface SignerCalls {
  /** Whether there is one that can be asked, or it was not needed yet. One that hangs is there until a call finds it out. */
  readonly isUp: boolean;
  /** How often it had to be opened again since the start. */
  readonly restarts: number;
  /** Whether it reads sealed keys from the database itself. Then they are not read here to be handed over. */
  readonly readsRows: boolean;
  /** Asks whether anybody is there, unless it was not needed yet. @throws ApiError signer_unavailable */
  assertReachable(): Promise<void>;
  /** @throws ApiError signer_unavailable when it does not answer, and what the operation itself throws */
  call(operation: string, args: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}
