interface Verified {
  id: string;
  verifiedAt?: Date | undefined;
}

/**
 * The first of the ids that is still among the credentials; otherwise the most recently verified credential. Null if
 * there is none.
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
