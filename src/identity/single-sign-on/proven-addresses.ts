import type { FullUser } from '../users/full-user.js';

/** The email addresses that a user has proven. */
export function provenAddressesOf({ verifiedCredentials }: FullUser): string[] {
  const proven = verifiedCredentials.filter(({ format, verifiedAt }) => format === 'email' && verifiedAt);
  return proven.flatMap(({ email }) => email ?? []);
}
