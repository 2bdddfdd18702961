import type { VerifiedCredential } from './verified-credential.dto.js';

/**
 * Whether a credential is that of an embedded wallet. Which provider a wallet has, whoever brings it says: an application, or
 * an API call. The properties are written with the wallets whose keys are kept here, and with no others.
 */
export const isEmbedded = ({ wallet_properties }: Pick<VerifiedCredential, 'wallet_properties'>): boolean =>
  wallet_properties !== undefined;

/** The same of the rows `row`, for the statements of this context. */
export const isEmbeddedRow = (row: string): string => `${row}.wallet_properties IS NOT NULL`;
