import { ClientSecretPost, None, type ClientAuth } from 'openid-client';

/** Ways to send a client secret: in the `Authorization` header, or in the form. */
export type SecretMethod = 'basic' | 'post';

/** How a client authenticates at the token endpoint (RFC 6749 section 2.3). */
export type ClientAuthentication =
  | { kind: SecretMethod; secret: string }
  | { kind: 'none' }
  /** For vendors with a way of their own: fields of the form, in addition to those of the grant. */
  | { kind: 'form'; fields: Readonly<Record<string, string>> };

export function authenticationOf(authentication: ClientAuthentication): ClientAuth {
  switch (authentication.kind) {
    case 'basic':
      return (_server, client, _body, headers) => {
        const pair = `${formEncoded(client.client_id)}:${formEncoded(authentication.secret)}`;
        headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
      };
    case 'post':
      return ClientSecretPost(authentication.secret);
    case 'none':
      return None();
    case 'form':
      return (_server, _client, body) => {
        for (const [name, value] of Object.entries(authentication.fields)) body.set(name, value);
      };
  }
}

/**
 * Form encoding (RFC 6749 section 2.3.1), which does not escape `-`, `_` and `.`: vendors that forget to decode still
 * accept the secrets that they issue.
 */
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
