import type { FullUser } from '../../identity/index.js';
import { isNative, type HeldRule } from '../gates/gate-rules.js';
import { accessDenied, accessUndecided } from './access.errors.js';
import type { Decision } from './decision.js';
import type { EnabledRule } from './enabled-rules.repository.js';

type Refused = Extract<Decision, { admitted: false }>;

/** Tells the user what would admit them without disclosing list names or entries. */
export function refusalOf({ undecided, missing }: Refused, user: FullUser): Error {
  const { walletPublicKey, email } = user;
  const payload = { ...(walletPublicKey && { walletPublicKey }), ...(email && { email }) };
  if (undecided) return accessUndecided({ payload });
  const ways = [...new Set(missing.map(wayOf))];
  const isChoice = missing.length > 1 && missing.every(({ outcome }) => outcome === 'siteAccess');
  return accessDenied({ hint: `To come in, ${ways.join(isChoice ? ', or ' : ', and ')}.`, payload });
}

const wayOf = ({ rules }: EnabledRule): string =>
  rules ? rules.map(asked).join(' and ') : 'be on the list of people who are let in';

function asked(rule: HeldRule): string {
  const { type, chain, address, filter } = rule;
  const what = type === 'nft' ? `${filter?.amount ?? 1} NFT of` : `${filter?.amount ?? 'some'} of the token`;
  const which = isNative(rule) ? `${filter?.amount ?? 'some'} of the coin` : `${what} ${address.contractAddress}`;
  const id = filter?.tokenId === undefined ? '' : ` with the id ${filter.tokenId}`;
  return `hold ${which}${id} on network ${address.networkId} of ${chain}`;
}
