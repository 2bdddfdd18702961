import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem';
import { UNKNOWN, type Argument, type Effect, type SigningChain, type Unknown } from '../../custody/index.js';
import { normalAddress, normalArgument } from './parse-policy-rule.js';
import type { Constraint, PolicyRule, RuledFunction } from './policy-rule.js';

/** Whether a condition matches; `unknown` counts as a match in a deny rule, and as no match in an allow rule. */
export type Answer = 'yes' | 'no' | 'unknown';

/** Where an effect takes place. */
export interface Place {
  readonly chain: SigningChain;
  /** Null where the bytes do not name a network. */
  readonly networkId: number | null;
}

export interface Judged extends Place {
  readonly effects: readonly Effect[];
}

export interface Finding {
  readonly rule: PolicyRule;
  readonly answer: Answer;
  /** The condition that decided it. */
  readonly because: string;
}

export interface EffectJudgement {
  readonly effect: Effect;
  /** The rule that denies or allows it; null where no rule matches. */
  readonly decidedBy: PolicyRule | null;
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** The amount a signature charges to the total of a rule. */
export interface Charge {
  readonly ruleId: string;
  readonly amount: bigint;
  readonly totalLimit: bigint;
}

export interface Judgement {
  readonly isAllowed: boolean;
  readonly reason: string;
  readonly effects: readonly EffectJudgement[];
  readonly charges: readonly Charge[];
}

type Condition = readonly [name: string, ask: (rule: PolicyRule, effect: Effect, place: Place) => Answer];

/** Evaluated in this order; the first `no` decides. */
const CONDITIONS: readonly Condition[] = [
  ['chain', ({ chain }, _effect, place) => is(chain === place.chain)],
  ['network', ({ chainIds }, _effect, { networkId }) => network(chainIds, networkId)],
  ['address', address],
  ['function', calledFunction],
  ['arguments', calledArguments],
  ['asset', asset],
];

/**
 * Judges each effect by all rules, in the order in which the rules were added. An effect that a rule denies, or may
 * deny, is refused. If any rule allows something, every effect needs one that certainly allows it and has room for it.
 *
 * @param spent what each rule with a total has allowed the wallet so far
 */
export function judge(rules: readonly PolicyRule[], judged: Judged, spent: ReadonlyMap<string, bigint>): Judgement {
  const asked = rules.filter(({ restrictions }) => !restrictions);
  const isClosed = asked.some(({ ruleType }) => ruleType === 'allow');
  const taken = new Map<string, bigint>();
  const effects = judged.effects.map((effect) =>
    judgeEffect(asked, inNormalForm(effect, judged.chain), { judged, isClosed, spent, taken }),
  );
  const refused = effects.find(({ isAllowed }) => !isAllowed);
  const charges = asked.flatMap(({ ruleId, limit }): Charge[] => {
    const amount = taken.get(ruleId) ?? 0n;
    const totalLimit = limit?.totalLimit ?? null;
    return totalLimit !== null && amount > 0n ? [{ ruleId, amount, totalLimit }] : [];
  });
  return { isAllowed: !refused, reason: refused?.reason ?? 'allowed', effects, charges };
}

/** Done once for all rules: normalising the same address again for each would be most of the cost. */
function inNormalForm(effect: Effect, chain: SigningChain): Effect {
  const { to, alsoTo } = effect;
  const normal = (one: string | Unknown): string | Unknown =>
    one === UNKNOWN ? one : (normalAddress(chain, one) ?? one);
  return { ...effect, to: to === null ? to : normal(to), ...(alsoTo && { alsoTo: alsoTo.map(normal) }) };
}

interface Asked {
  readonly judged: Judged;
  readonly isClosed: boolean;
  readonly spent: ReadonlyMap<string, bigint>;
  /** Per rule, charged by the preceding effects. */
  readonly taken: Map<string, bigint>;
}

function judgeEffect(rules: readonly PolicyRule[], effect: Effect, asked: Asked): EffectJudgement {
  const answer = (rule: PolicyRule): Answer => fit(rule, effect, asked.judged).answer;
  const denial = rules.find((rule) => rule.ruleType === 'deny' && answer(rule) !== 'no');
  if (denial) return { effect, decidedBy: denial, isAllowed: false, reason: `the rule "${denial.name}" denies it` };
  if (!asked.isClosed) return { effect, decidedBy: null, isAllowed: true, reason: 'no rule denies it' };
  const fitting = rules.filter((rule) => rule.ruleType === 'allow' && answer(rule) === 'yes');
  const roomy = fitting.find((rule) => hasRoom(rule, effect, asked));
  if (!roomy) {
    const full = fitting[0];
    const reason = full ? `it exceeds the limit of the rule "${full.name}"` : 'no rule allows it';
    return { effect, decidedBy: full ?? null, isAllowed: false, reason };
  }
  const { limit, ruleId, name } = roomy;
  if (limit) asked.taken.set(ruleId, (asked.taken.get(ruleId) ?? 0n) + amountOf(limit, effect)!);
  return { effect, decidedBy: roomy, isAllowed: true, reason: `the rule "${name}" allows it` };
}

/** Each rule's finding on a judged effect, decisive or not: for people who ask, not computed for every signature. */
export const findingsOf = (rules: readonly PolicyRule[], { effect }: EffectJudgement, place: Place): Finding[] =>
  rules.filter(({ restrictions }) => !restrictions).map((rule): Finding => ({ rule, ...fit(rule, effect, place) }));

function hasRoom({ ruleId, limit }: PolicyRule, effect: Effect, { taken, spent }: Asked): boolean {
  if (!limit) return true;
  const amount = amountOf(limit, effect);
  if (amount === null) return false;
  const now = (taken.get(ruleId) ?? 0n) + amount;
  const { maxPerCall, totalLimit } = limit;
  return (
    (maxPerCall === null || now <= maxPerCall) && (totalLimit === null || (spent.get(ruleId) ?? 0n) + now <= totalLimit)
  );
}

function amountOf({ asset: token }: NonNullable<PolicyRule['limit']>, effect: Effect): bigint | null {
  if (token !== null) return effect.token?.amount ?? null;
  return effect.value === UNKNOWN ? null : effect.value;
}

function fit(rule: PolicyRule, effect: Effect, place: Place): { answer: Answer; because: string } {
  let doubt: string | null = null;
  for (const [name, ask] of CONDITIONS) {
    const answer = ask(rule, effect, place);
    if (answer === 'no') return { answer, because: name };
    if (answer === 'unknown') doubt ??= name;
  }
  return doubt ? { answer: 'unknown', because: doubt } : { answer: 'yes', because: 'all of it' };
}

const is = (holds: boolean): Answer => (holds ? 'yes' : 'no');

/** A rule without networks applies to all of them. */
function network(chainIds: PolicyRule['chainIds'], networkId: number | null): Answer {
  if (!chainIds) return 'yes';
  return networkId === null ? 'unknown' : is(chainIds.includes(networkId));
}

/** Allowing a receiver does not allow the program that pays it, nor the reverse; denying either denies both. */
function address({ addresses, ruleType }: PolicyRule, { to, alsoTo = [] }: Effect): Answer {
  if (!addresses) return 'yes';
  const asked = ruleType === 'deny' ? [to, ...alsoTo] : [to];
  if (asked.some((one) => typeof one === 'string' && addresses.has(one))) return 'yes';
  return asked.includes(UNKNOWN) ? 'unknown' : 'no';
}

function calledFunction({ functions, primaryType }: PolicyRule, { call }: Effect): Answer {
  if (functions) return is(call?.kind === 'function' && functions.some(({ selector }) => begins(call.data, selector)));
  if (primaryType !== null) return is(call?.kind === 'typedData' && call.primaryType === primaryType);
  return 'yes';
}

function calledArguments({ functions, constraints }: PolicyRule, { call }: Effect): Answer {
  if (constraints.length === 0) return 'yes';
  if (!call) return 'no';
  const values = call.kind === 'typedData' ? call.members : argumentsOf(functions ?? [], call);
  if (!values) return 'unknown';
  const answers = constraints.map((constraint) => holds(constraint, values[constraint.index]));
  return answers.includes('no') ? 'no' : answers.includes('unknown') ? 'unknown' : 'yes';
}

type FunctionCall = Extract<Effect['call'], { kind: 'function' }>;

/** The arguments of each call, by the types they are read with: reading a long one for every rule would take long. */
const readArguments = new WeakMap<FunctionCall, Map<string, readonly Argument[] | null>>();

/** Null unless the data is the canonical encoding of such a call: contracts may read others differently. */
function argumentsOf(functions: readonly RuledFunction[], call: FunctionCall): readonly Argument[] | null {
  const called = functions.find(({ selector }) => begins(call.data, selector));
  if (!called) return null;
  const read = readArguments.get(call) ?? new Map<string, readonly Argument[] | null>();
  readArguments.set(call, read);
  const types = JSON.stringify(called.abi.inputs);
  if (!read.has(types)) read.set(types, decoded(called, call.data));
  return read.get(types) ?? null;
}

function decoded(called: RuledFunction, data: Hex): readonly Argument[] | null {
  try {
    const { args = [] } = decodeFunctionData({ abi: [called.abi], data });
    const again = encodeFunctionData({ abi: [called.abi], functionName: called.abi.name, args });
    if (again !== data.toLowerCase()) return null;
    return called.abi.inputs.map(({ type }, at) => ({ type, value: args[at] }));
  } catch {
    return null;
  }
}

const begins = (data: Hex, selector: Hex): boolean => data.slice(0, selector.length).toLowerCase() === selector;

function holds({ operator, value }: Constraint, argument: Argument | undefined): Answer {
  const found = argument ? normalArgument(argument.type, argument.value) : null;
  const wanted = argument ? normalArgument(argument.type, value) : null;
  if (found === null || wanted === null) return 'unknown';
  switch (operator) {
    case 'equal':
      return is(found === wanted);
    case 'notEqual':
      return is(found !== wanted);
    case 'greater':
      return is(found > wanted);
    case 'greaterEqual':
      return is(found >= wanted);
    case 'less':
      return is(found < wanted);
    case 'lessEqual':
      return is(found <= wanted);
  }
}

/**
 * A limit applies only to what it counts. For a token: plain transfers and approvals that send no coins along. For
 * coins: plain transfers, and calls only where the rule names them. Tokens that move without a call, on Solana, go to an
 * address that names their receiver and not what is called.
 */
function asset({ limit, addresses, functions }: PolicyRule, { token, value, call, to }: Effect): Answer {
  if (!limit) return 'yes';
  if (limit.asset !== null) {
    if (!token) return 'unknown';
    return token.asset !== limit.asset ? 'no' : is(value === 0n);
  }
  if (value === UNKNOWN || to === UNKNOWN) return 'unknown';
  return is(call ? addresses !== null || functions !== null : !token);
}
