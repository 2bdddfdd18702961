import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { idTokenFault, type IdTokenTerms } from './id-token.js';
import { KeySet } from './key-set.js';
import { KeySets } from './key-sets.js';
import { OidcError } from './oidc-error.js';
import { isSignedBy, parseSignedToken } from './signed-token.js';

/** Verifies the id tokens of identity providers. */
@Injectable()
export class IdTokens {
  constructor(
    private readonly keys: KeySets,
    private readonly clock: Clock,
  ) {}

  /**
   * The claims of a token, once its signature, client and sign-in attempt are verified. Keys are only fetched from the
   * configured address, never from one in a header of the token.
   *
   * @throws OidcError `id_token`, or `unreachable` if the keys cannot be fetched
   */
  async verify(text: string, terms: IdTokenTerms): Promise<Record<string, unknown>> {
    const token = parseSignedToken(text);
    if (typeof token === 'string') throw new OidcError('id_token', token);
    if (!terms.algorithms.includes(token.algorithm.name)) {
      throw new OidcError('id_token', 'the provider does not sign with this algorithm');
    }
    const fault = idTokenFault(token.claims, terms, this.clock.timestamp() / 1_000);
    if (fault) throw new OidcError('id_token', fault);
    const set = await this.keys.at(terms.jwksUri, (known) => known.find(token) === null);
    if (!(set instanceof KeySet)) throw new OidcError('unreachable', `the key set: ${set}`);
    const key = set.find(token);
    if (!key || !isSignedBy(token, key)) throw new OidcError('id_token', 'no key of the provider made the signature');
    return token.claims;
  }
}
