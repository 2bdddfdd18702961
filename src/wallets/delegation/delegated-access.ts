import {
  UNKNOWN,
  type CustodyVersion,
  type EmbeddedChain,
  type SigningKind,
  type Unknown,
} from '../../custody/index.js';
import { normalAddress } from '../policies/parse-policy-rule.js';
import { judge, type Judged } from '../policies/policy-judgement.js';
import type { PolicyRule } from '../policies/policy-rule.js';
import { invalidDelegation, notToSharedKeys } from './delegated-access.errors.js';
import type { DelegatedAccessGrant } from './delegated-access.dto.js';

/** What a user lets servers do with a wallet. */
export interface DelegatedAccess {
  readonly kinds: readonly SigningKind[];
  /** Networks of EVM; null for all that the environment has. */
  readonly chainIds: readonly number[] | null;
  /** The only addresses that may be called or sent to; null for any. */
  readonly contracts: readonly string[] | null;
  /** Of the chain's coin with the fee of the network, in its smallest unit; null where no transaction is signed. */
  readonly maxPerTransaction: string | null;
  readonly maxPerDay: string | null;
}

export const MOST_DAYS = 30;
export const DAY_MS = 86_400_000;

const MESSAGE = 'message';
const TYPED_DATA = 'typedData';
/** There is one rule, so any name does. */
const RULE = 'grant';
const refused = (reason: string): Error => invalidDelegation({ payload: { reason } });

/** What of access that is not described: messages, for as long as access may be given. */
export const MESSAGES_ONLY: DelegatedAccess = {
  kinds: [MESSAGE],
  chainIds: null,
  contracts: null,
  maxPerTransaction: null,
  maxPerDay: null,
};

/**
 * Reads what a user gives. Whatever moves coins has two caps.
 *
 * @throws ApiError invalid_delegated_access
 */
export function readAccess(grant: DelegatedAccessGrant | undefined, chain: EmbeddedChain): DelegatedAccess {
  if (!grant) return MESSAGES_ONLY;
  const { kinds, chainIds, contracts, maxPerTransaction, maxPerDay } = grant;
  const access: DelegatedAccess = {
    kinds: [...new Set(kinds)],
    chainIds: chainIds ?? null,
    contracts: contracts ? contracts.map((text) => addressOf(text, chain)) : null,
    maxPerTransaction: maxPerTransaction ?? null,
    maxPerDay: maxPerDay ?? null,
  };
  if (kinds.length === 0) throw refused('grant.kinds is empty');
  if (chainIds?.length === 0 || contracts?.length === 0) throw refused('an empty list allows nothing: leave it out');
  if (chainIds && chain !== 'EVM') throw refused('only what is signed for EVM names its network');
  if (kinds.every((kind) => kind === MESSAGE) && (chainIds || contracts)) {
    throw refused('messages have no network and no address');
  }
  if (kinds.includes(TYPED_DATA) && !contracts) throw refused('typed data is signed for named contracts alone');
  assertCapped(grant);
  return access;
}

/** Transactions have both caps, and nothing else has any. */
function assertCapped({ kinds, maxPerTransaction, maxPerDay }: DelegatedAccessGrant): void {
  const caps = [maxPerTransaction, maxPerDay].filter((cap) => cap !== undefined);
  if (kinds.every((kind) => kind === MESSAGE || kind === TYPED_DATA)) {
    if (caps.length > 0) throw refused('messages and typed data have no value that a cap could count');
  } else if (caps.length < 2) {
    throw refused('maxPerTransaction and maxPerDay are required with transactions');
  }
}

/** @throws ApiError no_delegated_access_to_shared_keys */
export function assertHeldByService({ version }: { readonly version: CustodyVersion }): void {
  if (version === 'V2' || version === 'V3') throw notToSharedKeys();
}

function addressOf(text: string, chain: EmbeddedChain): string {
  const address = normalAddress(chain, text);
  if (!address) throw refused('an address of grant.contracts is none of the chain');
  return address;
}

/** What is about to be signed, as its bytes say. */
export interface DelegatedRequest extends Judged {
  readonly kind: SigningKind;
  /** The most that the network takes of the wallet for it. */
  readonly fee: bigint | Unknown;
}

export type AccessJudgement =
  | { readonly isAllowed: false; readonly reason: string }
  /** What counts for the day. */
  | { readonly isAllowed: true; readonly charge: { readonly amount: bigint; readonly maxPerDay: bigint } | null };

/**
 * Whether something other than a message is within what was given. The fee counts like what is sent: whoever chooses it
 * could give the whole wallet to the network. Typed data says nothing of an amount, so it is judged by its contract and
 * network alone.
 */
export function judgeAccess(access: DelegatedAccess, asked: DelegatedRequest, spentToday: bigint): AccessJudgement {
  const { chain, kind, fee } = asked;
  if (kind === TYPED_DATA) return judged(access, asked, { limit: null, spent: 0n });
  if (fee === UNKNOWN) return denied('the fee of the network cannot be read from its bytes, so no cap can count it');
  const [maxPerTransaction, maxPerDay] = [BigInt(access.maxPerTransaction ?? 0), BigInt(access.maxPerDay ?? 0)];
  if (fee > maxPerTransaction)
    return denied(`the fee of the network on ${chain} exceeds what one transaction may cost`);
  const limit = { asset: null, maxPerCall: maxPerTransaction - fee, totalLimit: maxPerDay };
  const judgement = judged(access, asked, { limit, spent: spentToday + fee });
  if (!judgement.isAllowed) return judgement;
  const amount = (judgement.charge?.amount ?? 0n) + fee;
  return { isAllowed: true, charge: amount > 0n ? { amount, maxPerDay } : null };
}

const denied = (reason: string): AccessJudgement => ({ isAllowed: false, reason });

/** The same as a rule of a signing policy, by which what is to be signed is judged from its bytes. */
function judged(
  { contracts: addresses, chainIds }: DelegatedAccess,
  asked: DelegatedRequest,
  { limit, spent }: { limit: PolicyRule['limit']; spent: bigint },
): AccessJudgement {
  const rule: PolicyRule = {
    ...{ ruleId: RULE, name: 'delegated access', ruleType: 'allow', chain: asked.chain, addresses, chainIds },
    ...{ functions: null, primaryType: null, constraints: [], limit, restrictions: null },
  };
  const { isAllowed, reason, charges } = judge([rule], asked, new Map([[RULE, spent]]));
  if (!isAllowed) return denied(reason);
  const [charge] = charges;
  return { isAllowed, charge: charge ? { amount: charge.amount, maxPerDay: charge.totalLimit } : null };
}
