import type { Connected, SocialIdentity } from '../../../providers/index.js';
import type { ShownIdentifier } from '../../flows/proofs/proof.js';

/**
 * What an account at a provider says about who somebody is. The account itself is proven. The address is no more than
 * a statement, unless the provider gives such addresses out and has seen this one (then it is vouched for): a stated
 * address finds nobody, claims nothing and is kept with the account alone.
 */
export function identifiersOf(
  provider: string,
  { subject, connection, email, emailAuthoritative, ...shown }: SocialIdentity & Connected,
): readonly [ShownIdentifier, ...ShownIdentifier[]] {
  const account: ShownIdentifier = {
    identifier: { kind: 'socialAccountId', provider, value: subject, ...(connection && { connection }) },
    strength: 'proven',
    credential: {
      oauthUsername: shown.username,
      oauthDisplayName: shown.displayName,
      oauthEmails: email === null ? [] : [email],
      oauthAccountPhotos: shown.photos,
    },
  };
  if (email === null) return [account];
  const strength = emailAuthoritative ? 'vouched' : 'stated';
  return [account, { identifier: { kind: 'email', value: email }, strength }];
}
