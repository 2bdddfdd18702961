/**
 * Why an exchange with an identity provider failed:
 * - `unreachable`: no complete answer, or one that is not of the protocol;
 * - `refused`: the provider says no, for instance to a code that was used before or to a wrong client secret;
 * - `id_token`: what it says about who signed in does not hold.
 */
export type OidcFailure = 'unreachable' | 'refused' | 'id_token';

/** The message is for logs: it has words of the protocol, never a token, a code or a secret. */
export class OidcError extends Error {
  override readonly name = 'OidcError';

  constructor(
    readonly failure: OidcFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
