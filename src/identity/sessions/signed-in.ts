/** The response to a sign-in, before cookie mode removes the tokens from its body. */
export interface SignedIn<User = object> {
  user: User;
  /** Expiry of the tokens in Unix seconds, as a string. */
  expiresAt: string;
  /** Absent in cookie mode. */
  jwt?: string;
  minifiedJwt?: string;
  /** For the second factor, while one is outstanding. */
  mfaToken?: string;
  /** Confirms that the proof of this call was fresh, for the requested scopes. */
  elevatedAccessToken?: string;
  /** `Set-Cookie` of cookie mode. Becomes a header; no declared result has this field, so it is never in a body. */
  setCookie?: string;
}
