import { identifierKeyOf } from './identifier-key.js';
import type { VerifiedCredential } from './verified-credential.dto.js';

/** Contacts in a profile that a code can prove. */
export type ContactKind = 'email' | 'phoneNumber';

/** Whether one of the credentials is this address or number, and proven. Values set by servers may be malformed. */
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
