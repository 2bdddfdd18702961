import { base58 } from '@scure/base';
import { getAddress, isAddress, toFunctionSelector, type AbiFunction, type AbiParameter } from 'viem';
import { normalAddress as sameAddress } from '../../common/addresses/normal-address.js';
import { parseTonAddress } from '../../common/addresses/ton-address.js';
import type { SigningChain } from '../../custody/index.js';
import { namespaceOf } from '../../identity/index.js';
import type { WaasChain, WaasPolicyRule } from './policy.dto.js';
import { invalidPolicyRule } from './policy.errors.js';
import type { Constraint, PolicyRule, RuledFunction } from './policy-rule.js';

/** Chains by their names in rules. */
const CHAINS: Readonly<Record<WaasChain, SigningChain>> = {
  ...{ EVM: 'EVM', SVM: 'SOL', SUI: 'SUI', BTC: 'BTC', TON: 'TON' },
};
const MOST_BYTES = 16_384;
const SOLANA_KEY_BYTES = 32;
const DECIMAL = /^-?\d{1,78}$/;
const NUMBER_TYPE = /^u?int\d*$/;
const TEXT_TYPE = /^(address|bool|string|bytes\d*)$/;
const ORDER = ['greater', 'less', 'greaterEqual', 'lessEqual'];

const refused = (reason: string): Error => invalidPolicyRule({ payload: { reason } });

/**
 * Parses a rule. Anything that would not be enforced exactly as written is refused.
 *
 * @throws ApiError invalid_policy_rule
 */
export function parsePolicyRule(rule: WaasPolicyRule, ruleId: string): PolicyRule {
  if (Buffer.byteLength(JSON.stringify(rule)) > MOST_BYTES) throw refused('a rule has at most 16 KB of JSON');
  const chain = CHAINS[rule.chain];
  const restrictions = restrictionsOf(rule);
  const addresses = addressesOf(rule, chain);
  const chainIds = chainIdsOf(rule, chain);
  const functions = functionsOf(rule);
  const primaryType = functions || rule.functionName === undefined ? null : rule.functionName;
  if (rule.functionName !== undefined && chain !== 'EVM')
    throw refused(`functions are not distinguished on ${rule.chain}`);
  const constraints = (rule.argumentConstraints ?? []).map((one) => constraintOf(one, functions, primaryType));
  if (rule.argumentConstraints?.length === 0) throw refused('argumentConstraints is empty: leave it out');
  const limit = limitOf(rule, chain);
  const { name, ruleType } = rule;
  return {
    ...{ ruleId, name, ruleType, chain, addresses, chainIds, functions, primaryType, constraints, limit },
    restrictions,
  };
}

const FORMS: Readonly<Record<SigningChain, (text: string) => boolean>> = {
  EVM: (text) => isAddress(text, { strict: false }),
  SUI: (text) => /^0x[0-9a-f]{1,64}$/i.test(text),
  SOL: isSolanaKey,
  TON: (text) => parseTonAddress(text) !== null,
  BTC: (text) => /^bc1[0-9a-z]{11,87}$/i.test(text) || /^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(text),
};

/** An address in the canonical form used for comparison; null when it is not an address of the chain. */
export function normalAddress(chain: SigningChain, text: string): string | null {
  if (!FORMS[chain](text)) return null;
  const normal = sameAddress(namespaceOf(chain), text);
  return chain === 'EVM' ? getAddress(normal) : normal;
}

function isSolanaKey(text: string): boolean {
  try {
    return text.length <= 44 && base58.decode(text).length === SOLANA_KEY_BYTES;
  } catch {
    return false;
  }
}

function restrictionsOf(rule: WaasPolicyRule): PolicyRule['restrictions'] {
  const { operationRestrictions: asked } = rule;
  if (!asked) return null;
  const { blockExport = false, blockClientSigning = false, blockRevocation = false } = asked;
  if (blockRevocation) throw refused('blockRevocation: whoever gave access to a wallet may take it back');
  if (!blockExport && !blockClientSigning) throw refused('operationRestrictions restrict nothing: leave them out');
  const { address, addresses, chainId, chainIds, contractAbi, functionName, argumentConstraints, valueLimit } = rule;
  const conditions = [
    address,
    addresses,
    chainId,
    chainIds,
    contractAbi,
    functionName,
    argumentConstraints,
    valueLimit,
  ];
  if (rule.ruleType !== 'deny' || conditions.some((one) => one !== undefined && one !== null)) {
    throw refused('operationRestrictions stand alone, in a rule of the type deny');
  }
  return { blockExport, blockClientSigning };
}

function addressesOf({ address, addresses }: WaasPolicyRule, chain: SigningChain): ReadonlySet<string> | null {
  const named = [...(address === undefined || address === null ? [] : [address]), ...(addresses ?? [])];
  if (addresses?.length === 0) throw refused('addresses is empty: leave it out for any address');
  if (named.length === 0) return null;
  const normal = named.map((text) => {
    const one = normalAddress(chain, text);
    if (!one) throw refused('an address is none of the chain');
    return one;
  });
  return new Set(normal);
}

function chainIdsOf({ chainId, chainIds }: WaasPolicyRule, chain: SigningChain): number[] | null {
  const named = [...(chainId === undefined ? [] : [chainId]), ...(chainIds ?? [])];
  if (chainIds?.length === 0) throw refused('chainIds is empty: leave it out for any network');
  if (named.length === 0) return null;
  if (chain !== 'EVM') throw refused('only what is signed for EVM names its network');
  if (named.some((id) => !Number.isSafeInteger(id) || id < 1)) throw refused('a chain id is a whole number from 1');
  return named;
}

function functionsOf({ contractAbi, functionName }: WaasPolicyRule): RuledFunction[] | null {
  if (!contractAbi) return null;
  if (functionName === undefined) throw refused('contractAbi says nothing without functionName');
  const named = contractAbi.filter(({ type, name }) => type === 'function' && name === functionName);
  if (named.length === 0) throw refused('contractAbi has no function of that name');
  return named.map((item) => {
    const abi = { stateMutability: 'nonpayable', outputs: [], ...item } as unknown as AbiFunction;
    if (!Array.isArray(abi.inputs) || !abi.inputs.every(isParameter)) throw refused('a function has no proper inputs');
    try {
      return { abi: { ...abi, inputs: abi.inputs.map(typeOf) }, selector: toFunctionSelector(abi) };
    } catch {
      throw refused('a function has no proper inputs');
    }
  });
}

const isParameter = (input: unknown): input is AbiParameter =>
  typeof input === 'object' && input !== null && typeof (input as AbiParameter).type === 'string';

/** Without its names: functions that differ in nothing else read the same arguments. */
const typeOf = ({ type, ...parameter }: AbiParameter): AbiParameter =>
  'components' in parameter ? { type, components: parameter.components.map(typeOf) } : { type };

function constraintOf(
  { index, operator, value }: NonNullable<WaasPolicyRule['argumentConstraints']>[number],
  functions: readonly RuledFunction[] | null,
  primaryType: string | null,
): Constraint {
  if (!functions && primaryType === null) throw refused('argumentConstraints need functionName');
  const text = textOf(value);
  if (text === null) throw refused('the value of a constraint is a whole number, text, true or false');
  if (ORDER.includes(operator) && !DECIMAL.test(text)) throw refused(`${operator} compares whole numbers`);
  for (const { abi } of functions ?? []) {
    const type = abi.inputs[index]?.type;
    if (type === undefined) throw refused(`the function has no argument ${index}`);
    if (normalArgument(type, text) === null) throw refused(`argument ${index} is of type ${type}`);
    if (ORDER.includes(operator) && !NUMBER_TYPE.test(type)) throw refused(`${operator} compares whole numbers`);
  }
  return { index, operator, value: text };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : null;
}

/** An argument in the canonical form for comparison; null for types that are not compared, and for invalid values. */
export function normalArgument(type: string, value: unknown): bigint | string | null {
  if (NUMBER_TYPE.test(type)) {
    if (typeof value === 'bigint') return value;
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    return typeof text === 'string' && DECIMAL.test(text) ? BigInt(text) : null;
  }
  if (!TEXT_TYPE.test(type)) return null;
  if (type === 'bool') return ['true', 'false'].includes(String(value)) ? String(value) : null;
  if (typeof value !== 'string') return null;
  if (type === 'address') return normalAddress('EVM', value);
  if (type === 'string') return value;
  return /^0x(?:[0-9a-fA-F]{2})*$/.test(value) ? value.toLowerCase() : null;
}

function limitOf({ valueLimit, ruleType }: WaasPolicyRule, chain: SigningChain): PolicyRule['limit'] {
  if (!valueLimit) return null;
  const { asset, maxPerCall, totalLimit } = valueLimit;
  if (ruleType === 'deny') throw refused('valueLimit belongs to rules of the type allow');
  if (maxPerCall === undefined && totalLimit === undefined) throw refused('valueLimit limits nothing: leave it out');
  if ([maxPerCall, totalLimit].some((amount) => (amount?.length ?? 0) > 78)) throw refused('an amount is too large');
  const token = asset === undefined || asset === null ? null : normalAddress(chain, asset);
  if (asset && (!token || !['EVM', 'SOL'].includes(chain))) throw refused('the asset is no token that is understood');
  const amount = (text: string | undefined): bigint | null => (text === undefined ? null : BigInt(text));
  return { asset: token, maxPerCall: amount(maxPerCall), totalLimit: amount(totalLimit) };
}
