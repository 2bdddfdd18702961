import { hexOf, shownShares, type PublicShares, type SecretShare } from './frost.js';
import { clientParties, serverParties, signersOf, type ShareScheme } from './schemes.js';
import { identifierOf, suiteOf } from './suites.js';

/** Chains whose shares are dealt use Ed25519 keys. */
const CURVE = 'ed25519';

/** All shares of a key in one place, as a trusted dealer briefly holds them. Secret. */
export interface DealtShares {
  readonly public: PublicShares;
  /** For the user. */
  readonly clients: readonly SecretShare[];
  /** For the service. */
  readonly own: readonly SecretShare[];
}

/**
 * Generates a key and deals its shares (RFC 9591, appendix C.1). The caller briefly holds the whole key, so such shares
 * are meant to be replaced.
 *
 * @param scalar the scalar of an existing key, instead of a new one
 */
export function dealShares(scheme: ShareScheme, scalar?: Uint8Array): DealtShares {
  const dealt = suiteOf(CURVE).frost.trustedDealer(signersOf(scheme), undefined, scalar);
  const shareOf = (id: number): SecretShare => ({
    id,
    share: hexOf(dealt.secretShares[identifierOf(CURVE, id)]!.signingShare),
  });
  return {
    public: shownShares(CURVE, dealt.public),
    clients: clientParties(scheme).map(shareOf),
    own: serverParties(scheme).map(shareOf),
  };
}
