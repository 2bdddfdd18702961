import { identifierKeyOf } from './identifier-key.js';
import type { VerifiedCredential } from './verified-credential.dto.js';

/** What a profile names and a code proves. */
export type ContactKind = 'email' | 'phoneNumber';

/** Whether one of the credentials is the address or the number, and proven. What a server stated need not be either. */
export function isProvenContact(kind: ContactKind, value: string, credentials: readonly VerifiedCredential[]): boolean {
  const proven = credentials.filter(({ format, verifiedAt }) => format === kind && verifiedAt);
  if (proven.length === 0) return false;
  try {
    const key = identifierKeyOf({ kind, value });
    return proven.some((credential) => key.matches(credential));
  } catch {
    return false;
  }
}
