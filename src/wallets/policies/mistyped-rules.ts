import { isAddress } from 'viem';
import { isBitcoinReceiver, isPrimaryType, type SigningChain } from '../../custody/index.js';
import type { WaasPolicyRule } from './policy.dto.js';
import { invalidPolicyRule } from './policy.errors.js';
import type { PolicyRule } from './policy-rule.js';

const WITHOUT_CHECKSUM = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/;

/**
 * A mistyped address or name would make a rule that never matches, and so a denial of nothing. Checked when a rule is
 * written: those stored before may have one, and refusing them would refuse every signature. TON addresses are always
 * checked.
 *
 * @throws ApiError invalid_policy_rule
 */
export function assertNotMistyped(
  { address, addresses = [], valueLimit, argumentConstraints = [] }: WaasPolicyRule,
  { chain, functions, primaryType }: PolicyRule,
): void {
  if (primaryType !== null && !isPrimaryType(primaryType))
    throw refused('functionName is no primary type of typed data: functions are named beside their contractAbi');
  if (valueLimit?.asset === '') throw refused('valueLimit.asset is empty: leave it out for the native coin');
  const isOfAddress = (index: number): boolean => functions?.[0]?.abi.inputs[index]?.type === 'address';
  const values = argumentConstraints.filter(({ index }) => isOfAddress(index)).map(({ value }) => value);
  const named = [address, ...addresses, valueLimit?.asset, ...values];
  if (named.some((text) => typeof text === 'string' && !hasChecksum(chain, text)))
    throw refused('an address has a wrong checksum');
}

/** Whether an address of the chain has no checksum, or a correct one. */
export function hasChecksum(chain: SigningChain, text: string): boolean {
  if (chain === 'EVM') return WITHOUT_CHECKSUM.test(text) || isAddress(text);
  return chain !== 'BTC' || isBitcoinReceiver(text);
}

const refused = (reason: string): Error => invalidPolicyRule({ payload: { reason } });
