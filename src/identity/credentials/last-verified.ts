interface Verified {
  id: string;
  verifiedAt?: Date | undefined;
}

/**
 * The first of the ids that is one of the credentials; where all of them have gone since, the credential that was verified
 * last. Null when none is.
 */
export function lastVerifiedOf(
  credentials: readonly Verified[],
  ids: readonly (string | null | undefined)[],
): string | null {
  const known = ids.find((id) => credentials.some((credential) => credential.id === id));
  if (known) return known;
  let last: Verified | null = null;
  for (const credential of credentials) {
    if (credential.verifiedAt && credential.verifiedAt >= (last?.verifiedAt ?? 0)) last = credential;
  }
  return last?.id ?? null;
}
