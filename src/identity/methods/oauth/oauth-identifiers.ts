import type { Connected, SocialIdentity } from '../../../providers/index.js';
import type { ShownIdentifier } from '../../flows/proofs/proof.js';

/**
 * The identifiers of a provider account. The account itself is proven. Its email is only stated, unless the provider
 * issues such addresses and has verified this one (then it is vouched for): a stated email finds nobody, claims nothing
 * and is stored with the account only. Stored details that the provider did not tell this time stay.
 */
export function identifiersOf(
  provider: string,
  { subject, connection, email, emailAuthoritative, untold, ...shown }: SocialIdentity & Connected,
): readonly [ShownIdentifier, ...ShownIdentifier[]] {
  const account: ShownIdentifier = {
    identifier: { kind: 'socialAccountId', provider, value: subject, ...(connection && { connection }) },
    strength: 'proven',
    credential: {
      oauthUsername: shown.username,
      ...(!untold.includes('displayName') && { oauthDisplayName: shown.displayName }),
      ...(!untold.includes('email') && { oauthEmails: email === null ? [] : [email] }),
      ...(!untold.includes('photo') && { oauthAccountPhotos: shown.photos }),
    },
  };
  if (email === null) return [account];
  const strength = emailAuthoritative ? 'vouched' : 'stated';
  return [account, { identifier: { kind: 'email', value: email }, strength }];
}
