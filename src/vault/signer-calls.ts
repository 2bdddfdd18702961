/** The provider of the process that opens wallet secrets; null if that is this process. */
export const SIGNER_CALLS = 'SIGNER_CALLS';

/** Operations of a signer in another process. */
export interface SignerCalls {
  /** Whether it can be called, or was not needed yet. One that hangs counts as available until a call fails. */
  readonly isUp: boolean;
  /** How often it was restarted since the start. */
  readonly restarts: number;
  /** Whether it reads sealed keys from the database itself. If so, they are not read here and passed on. */
  readonly readsRows: boolean;
  /** Checks that it responds, unless it was not needed yet. @throws ApiError signer_unavailable */
  assertReachable(): Promise<void>;
  /** @throws ApiError signer_unavailable if it does not respond, and what the operation itself throws */
  call(operation: string, args: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}
