import { unavailable } from '../../src/custody/signer/process/signer-link.js';
import type { KeyVault, SignerCalls } from '../../src/vault/index.js';
import { wireSigner } from './wire-signer.js';

/** When the signer is killed: before it looked at the request, or after it was done but before it responded. */
export const MOMENTS = ['before it has done', 'after it has done'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A remote signer that dies once, at an operation chosen by the test. */
export class LosableSigner implements SignerCalls {
  readonly isUp = true;
  readonly restarts = 0;
  readonly readsRows = false;
  /** How often it died. */
  losses = 0;
  private readonly there: SignerCalls;
  private awaited: { readonly operation: string; readonly moment: Moment } | null = null;

  constructor(vault: KeyVault) {
    this.there = wireSigner(vault);
  }

  loseAt(operation: string, moment: Moment): void {
    this.awaited = { operation, moment };
  }

  assertReachable(): Promise<void> {
    return this.there.assertReachable();
  }

  async call(operation: string, args: readonly unknown[]): Promise<unknown> {
    if (this.awaited?.operation !== operation) return this.there.call(operation, args);
    const { moment } = this.awaited;
    this.awaited = null;
    this.losses++;
    if (moment === 'after it has done') await this.there.call(operation, args);
    throw unavailable('The signer went away.');
  }

  close(): Promise<void> {
    return this.there.close();
  }
}
