import type { VerifiedCredential } from './verified-credential.dto.js';

/**
 * Whether a credential is an embedded wallet's. The wallet provider cannot tell: the application or API caller sets it.
 * The properties are written only with wallets whose keys this service keeps.
 */
export const isEmbedded = ({ wallet_properties }: Pick<VerifiedCredential, 'wallet_properties'>): boolean =>
  wallet_properties !== undefined;

/** The same as an SQL condition on the alias `row`. */
export const isEmbeddedRow = (row: string): string => `${row}.wallet_properties IS NOT NULL`;
