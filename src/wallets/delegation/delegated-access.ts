import {
  isSignedOn,
  UNKNOWN,
  type CustodianRegistry,
  type VersionedWallet,
  type EmbeddedChain,
  type SigningKind,
  type Unknown,
} from '../../custody/index.js';
import { normalAddress } from '../policies/parse-policy-rule.js';
import { judge, type Judged } from '../policies/policy-judgement.js';
import type { PolicyRule } from '../policies/policy-rule.js';
import { hasChecksum } from '../policies/mistyped-rules.js';
import { invalidDelegation, notToSharedKeys } from './delegated-access.errors.js';
import type { DelegatedAccessGrant } from './delegated-access.dto.js';

/** What a user allows servers to do with a wallet. */
export interface DelegatedAccess {
  readonly kinds: readonly SigningKind[];
  /** EVM chain ids; null for all networks of the environment. */
  readonly chainIds: readonly number[] | null;
  /** The only addresses that may be called or sent to; null for any. */
  readonly contracts: readonly string[] | null;
  /** In the smallest unit of the chain's native coin, network fee included; null where no transactions are signed. */
  readonly maxPerTransaction: string | null;
  readonly maxPerDay: string | null;
}

export const MOST_DAYS = 30;
export const DAY_MS = 86_400_000;

const MESSAGE = 'message';
const TYPED_DATA = 'typedData';
/** There is only one rule, so its name does not matter. */
const RULE = 'grant';
const refused = (reason: string): Error => invalidDelegation({ payload: { reason } });

/** Access without a described grant: messages only, for the maximum duration. */
export const MESSAGES_ONLY: DelegatedAccess = {
  kinds: [MESSAGE],
  chainIds: null,
  contracts: null,
  maxPerTransaction: null,
  maxPerDay: null,
};

/**
 * Validates a grant. Anything that moves coins needs both caps.
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
  const foreign = kinds.find((kind) => !isSignedOn(chain, kind));
  if (foreign !== undefined) throw refused(`a wallet on ${chain} signs no ${foreign}`);
  if (chainIds?.length === 0 || contracts?.length === 0) throw refused('an empty list allows nothing: leave it out');
  if (chainIds && chain !== 'EVM') throw refused('only what is signed for EVM names its network');
  if (kinds.every((kind) => kind === MESSAGE) && (chainIds || contracts)) {
    throw refused('messages have no network and no address');
  }
  if (kinds.includes(TYPED_DATA) && !contracts) throw refused('typed data is signed for named contracts alone');
  assertCapped(grant);
  return access;
}

/** Transactions need both caps; nothing else may have one. */
function assertCapped({ kinds, maxPerTransaction, maxPerDay }: DelegatedAccessGrant): void {
  const caps = [maxPerTransaction, maxPerDay].filter((cap) => cap !== undefined);
  if (kinds.every((kind) => kind === MESSAGE || kind === TYPED_DATA)) {
    if (caps.length > 0) throw refused('messages and typed data have no value that a cap could count');
  } else if (caps.length < 2) {
    throw refused('maxPerTransaction and maxPerDay are required with transactions');
  }
}

/**
 * Refuses a wallet with which no server could ever sign.
 *
 * @throws ApiError no_delegated_access_to_shared_keys, not_supported_by_custodian, no_compatible_wallet_service_enabled
 */
export function assertSignedByCustodian(custodians: CustodianRegistry, { version, isShared }: VersionedWallet): void {
  if (isShared) throw notToSharedKeys();
  custodians.get(version, 'sign');
}

function addressOf(text: string, chain: EmbeddedChain): string {
  const address = normalAddress(chain, text);
  if (!address || !hasChecksum(chain, text)) throw refused('an address of grant.contracts is none of the chain');
  return address;
}

/** What is about to be signed, as read from its bytes. */
export interface DelegatedRequest extends Judged {
  readonly kind: SigningKind;
  /** The maximum network fee that the wallet may pay. */
  readonly fee: bigint | Unknown;
}

export type AccessJudgement =
  | { readonly isAllowed: false; readonly reason: string }
  /** The amount charged against the daily cap. */
  | { readonly isAllowed: true; readonly charge: { readonly amount: bigint; readonly maxPerDay: bigint } | null };

/**
 * Whether a request other than a message is within the grant. The fee counts like the amount sent: a caller who chooses
 * it could otherwise give the whole wallet to the network. Typed data carries no amount, so only its contract and
 * network are checked.
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

/** The grant as a rule of a signing policy, which is evaluated against the bytes to be signed. */
function judged(
  { contracts, chainIds }: DelegatedAccess,
  asked: DelegatedRequest,
  { limit, spent }: { limit: PolicyRule['limit']; spent: bigint },
): AccessJudgement {
  const addresses = contracts && new Set(contracts);
  const rule: PolicyRule = {
    ...{ ruleId: RULE, name: 'delegated access', ruleType: 'allow', chain: asked.chain, addresses, chainIds },
    ...{ functions: null, primaryType: null, constraints: [], limit, restrictions: null },
  };
  // No cap counts tokens: their receiver has to be named.
  const effects = addresses ? asked.effects.map((effect) => ({ ...effect, token: null })) : asked.effects;
  const { isAllowed, reason, charges } = judge([rule], { ...asked, effects }, new Map([[RULE, spent]]));
  if (!isAllowed) return denied(reason);
  const [charge] = charges;
  return { isAllowed, charge: charge ? { amount: charge.amount, maxPerDay: charge.totalLimit } : null };
}
