/** The answer to a sign-in, before cookie mode takes the tokens out of its body. */
export interface SignedIn<User = object> {
  user: User;
  /** When the tokens expire: Unix seconds, as text. */
  expiresAt: string;
  /** Absent in cookie mode. */
  jwt?: string;
  minifiedJwt?: string;
  /** For the second factor, while one is outstanding. */
  mfaToken?: string;
  /** That the proof of this call was fresh, for the scopes that the call asked for. */
  elevatedAccessToken?: string;
  /** `Set-Cookie` of cookie mode. Becomes a header; it is no field of any declared result, so it never is in a body. */
  setCookie?: string;
}
