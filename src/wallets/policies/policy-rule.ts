import type { AbiFunction, Hex } from 'viem';
import type { SigningChain } from '../../custody/index.js';
import type { ConstraintOperator } from './policy.dto.js';

/** A function of a contract, with the four bytes that its calls begin with. */
export interface RuledFunction {
  readonly selector: Hex;
  readonly abi: AbiFunction;
}

/** What a rule says of an argument, its value as text: the type of the argument says how the two are compared. */
export interface Constraint {
  readonly index: number;
  readonly operator: ConstraintOperator;
  readonly value: string;
}

export interface ValueLimit {
  /** Null for the coin of the chain. */
  readonly asset: string | null;
  readonly maxPerCall: bigint | null;
  readonly totalLimit: bigint | null;
}

/** A rule as it is judged by: null means that it does not ask. */
export interface PolicyRule {
  readonly ruleId: string;
  readonly name: string;
  readonly ruleType: 'allow' | 'deny';
  readonly chain: SigningChain;
  readonly addresses: readonly string[] | null;
  readonly chainIds: readonly number[] | null;
  readonly functions: readonly RuledFunction[] | null;
  readonly primaryType: string | null;
  readonly constraints: readonly Constraint[];
  readonly limit: ValueLimit | null;
  /** What is not done with wallets of the chain; a rule that has them asks nothing of signatures. */
  readonly restrictions: { readonly blockExport: boolean; readonly blockClientSigning: boolean } | null;
}
