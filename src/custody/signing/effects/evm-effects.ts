import {
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  isAddress,
  parseAbi,
  parseTransaction,
  toFunctionSelector,
  type AbiFunction,
  type AbiParameter,
  type Hex,
} from 'viem';
import { coins, OPAQUE, UNKNOWN, type Argument, type Effect, type RequestOf, type Unknown } from './effect.js';

const ERC20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
]);
/** ERC-721 and ERC-1155. */
const COLLECTIBLES = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function setApprovalForAll(address operator, bool approved)',
]);
/** ERC-223, ERC-677, ERC-777, ERC-1363, and Permit2, which holds approvals for tokens. */
const FURTHER = parseAbi([
  'function transfer(address to, uint256 amount, bytes data)',
  'function transferAndCall(address to, uint256 amount)',
  'function transferAndCall(address to, uint256 amount, bytes data)',
  'function transferFromAndCall(address from, address to, uint256 amount)',
  'function transferFromAndCall(address from, address to, uint256 amount, bytes data)',
  'function approveAndCall(address spender, uint256 amount)',
  'function approveAndCall(address spender, uint256 amount, bytes data)',
  'function send(address to, uint256 amount, bytes data)',
  'function operatorSend(address from, address to, uint256 amount, bytes data, bytes operatorData)',
  'function authorizeOperator(address operator)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
]);
/** Permit2 for several tokens, or with a signature of their owner, which may be the wallet that calls. */
const PERMITTED = parseAbi([
  'struct Taken { address from; address to; uint160 amount; address token; }',
  'struct Permitted { address token; uint256 amount; }',
  'struct Permit { Permitted permitted; uint256 nonce; uint256 deadline; }',
  'struct Permits { Permitted[] permitted; uint256 nonce; uint256 deadline; }',
  'struct Sent { address to; uint256 requestedAmount; }',
  'function transferFrom(Taken[] taken)',
  'function permitTransferFrom(Permit permit, Sent sent, address owner, bytes signature)',
  'function permitTransferFrom(Permits permit, Sent[] sent, address owner, bytes signature)',
  'function permitWitnessTransferFrom(Permit permit, Sent sent, address owner, bytes32 witness, string witnessType, bytes signature)',
  'function permitWitnessTransferFrom(Permits permit, Sent[] sent, address owner, bytes32 witness, string witnessType, bytes signature)',
]);
/** Vaults, whose shares are tokens (ERC-4626), and contracts of many tokens (ERC-6909). */
const VAULTS_AND_IDS = parseAbi([
  'function deposit(uint256 assets, address receiver)',
  'function mint(uint256 shares, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
  'function transfer(address receiver, uint256 id, uint256 amount)',
  'function transferFrom(address sender, address receiver, uint256 id, uint256 amount)',
  'function approve(address spender, uint256 id, uint256 amount)',
  'function setOperator(address operator, bool approved)',
]);
/** Names of who is given something, by calls and by the typed data that tokens accept (EIP-2612, EIP-3009, Permit2). */
const RECEIVERS = ['to', 'spender', 'operator', 'receiver'];
/** Calls that give others tokens, or the right to them. */
const GIVING = [...ERC20, ...COLLECTIBLES, ...FURTHER, ...PERMITTED, ...VAULTS_AND_IDS].map((abi: AbiFunction) => ({
  abi,
  selector: toFunctionSelector(abi),
}));

/** One transaction is one call; the bytes were parsed before, so they are a valid transaction. */
export function evmTransactionEffects({ transaction }: RequestOf<'evmTransaction'>): Effect[] {
  const { to, value = 0n, data = '0x' } = parseTransaction(transaction);
  const effect = coins(to ? getAddress(to) : null, value);
  if (data === '0x') return [effect];
  const called: Effect = { ...effect, call: { kind: 'function', data } };
  if (!to) return [called];
  const alsoTo = receiversOf(data);
  return [{ ...called, token: tokenOf(getAddress(to), data), ...(alsoTo.length > 0 && { alsoTo }) }];
}

/** The effect of typed data depends on the contract that accepts it, so amounts are unknown. */
export function typedDataEffects({ typedData }: RequestOf<'typedData'>): Effect[] {
  const { domain, types, primaryType, message } = typedData;
  const contract = domain['verifyingContract'];
  const to = typeof contract === 'string' && isAddress(contract, { strict: false }) ? getAddress(contract) : null;
  const declared = types[primaryType]!;
  const members = declared.map(({ name, type }): Argument => ({ type, value: message[name] }));
  const alsoTo = declared
    .filter(({ name, type }) => type === 'address' && RECEIVERS.includes(name))
    .map(({ name }) => String(message[name]));
  const call = { kind: 'typedData', primaryType, members } as const;
  return [{ ...OPAQUE, to, value: UNKNOWN, call, ...(alsoTo.length > 0 && { alsoTo }) }];
}

/** An amount counts only in the canonical encoding, which all contracts read alike. */
function tokenOf(asset: string, data: Hex): Effect['token'] {
  try {
    const call = decodeFunctionData({ abi: ERC20, data });
    if (encodeFunctionData({ abi: ERC20, ...call }) !== data) return null;
    return { asset, amount: call.args.at(-1) as bigint };
  } catch {
    return null;
  }
}

/** Who receives tokens by a call; unknown if the encoding is not canonical. Empty for unrecognised calls. */
function receiversOf(data: Hex): readonly (string | Unknown)[] {
  const known = GIVING.find(({ selector }) => data.startsWith(selector));
  if (!known) return [];
  try {
    const { args = [] } = decodeFunctionData({ abi: [known.abi], data });
    const again = encodeFunctionData({ abi: [known.abi], functionName: known.abi.name, args });
    return again === data ? [...new Set(receiversIn(known.abi.inputs, args))] : [UNKNOWN];
  } catch {
    return [UNKNOWN];
  }
}

/** Those among arguments, or in structs and lists of structs among them. */
function receiversIn(inputs: readonly AbiParameter[], values: readonly unknown[]): string[] {
  return inputs.flatMap((input, at) => {
    if (!('components' in input)) return RECEIVERS.includes(input.name ?? '') ? [values[at] as string] : [];
    const { components, type } = input;
    const structs = (type === 'tuple' ? [values[at]] : values[at]) as readonly Readonly<Record<string, unknown>>[];
    return structs.flatMap((struct) =>
      receiversIn(
        components,
        components.map(({ name }) => struct[name!]),
      ),
    );
  });
}
