/**
 * Why an exchange with an identity provider failed:
 * - `unreachable`: no complete response, or one that violates the protocol;
 * - `refused`: the provider returned an error, for instance for a used code or a wrong client secret;
 * - `id_token`: the id token, or the answer that brought the code, failed verification.
 */
export type OidcFailure = 'unreachable' | 'refused' | 'id_token';

/** The message is for logs: it never contains a token, a code or a secret. */
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
