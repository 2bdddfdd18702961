import type { AbiFunction, Hex } from 'viem';
import type { SigningChain } from '../../custody/index.js';
import type { ConstraintOperator } from './policy.dto.js';

/** A contract function, with its four-byte selector. */
export interface RuledFunction {
  readonly selector: Hex;
  readonly abi: AbiFunction;
}

/** A constraint on an argument, its value as text; the type of the argument determines the comparison. */
export interface Constraint {
  readonly index: number;
  readonly operator: ConstraintOperator;
  readonly value: string;
}

export interface ValueLimit {
  /** Null for the chain's native coin. */
  readonly asset: string | null;
  readonly maxPerCall: bigint | null;
  readonly totalLimit: bigint | null;
}

/** A parsed rule; null means that the condition is absent. */
export interface PolicyRule {
  readonly ruleId: string;
  readonly name: string;
  readonly ruleType: 'allow' | 'deny';
  readonly chain: SigningChain;
  readonly addresses: ReadonlySet<string> | null;
  readonly chainIds: readonly number[] | null;
  readonly functions: readonly RuledFunction[] | null;
  readonly primaryType: string | null;
  readonly constraints: readonly Constraint[];
  readonly limit: ValueLimit | null;
  /** What is blocked for wallets of the chain; a rule with restrictions is not applied to the effects of signatures. */
  readonly restrictions: { readonly blockExport: boolean; readonly blockClientSigning: boolean } | null;
}
