import { decodeFunctionData, encodeFunctionData, getAddress, isAddress, parseAbi, parseTransaction } from 'viem';
import { coins, OPAQUE, UNKNOWN, type Argument, type Effect, type RequestOf } from './effect.js';

const ERC20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
]);

/** One transaction is one call; its bytes were read before, so they are a transaction. */
export function evmTransactionEffects({ transaction }: RequestOf<'evmTransaction'>): Effect[] {
  const { to, value = 0n, data = '0x' } = parseTransaction(transaction);
  const effect = coins(to ? getAddress(to) : null, value);
  if (data === '0x') return [effect];
  return [{ ...effect, token: to ? tokenOf(getAddress(to), data) : null, call: { kind: 'function', data } }];
}

/** What typed data makes happen depends on the contract that takes it, so amounts are unknown. */
export function typedDataEffects({ typedData }: RequestOf<'typedData'>): Effect[] {
  const { domain, types, primaryType, message } = typedData;
  const contract = domain['verifyingContract'];
  const to = typeof contract === 'string' && isAddress(contract, { strict: false }) ? getAddress(contract) : null;
  const members = types[primaryType]!.map(({ name, type }): Argument => ({ type, value: message[name] }));
  return [{ ...OPAQUE, to, value: UNKNOWN, call: { kind: 'typedData', primaryType, members } }];
}

/** An amount counts only if it is written in the one way that all contracts read alike. */
function tokenOf(asset: string, data: `0x${string}`): Effect['token'] {
  try {
    const call = decodeFunctionData({ abi: ERC20, data });
    if (encodeFunctionData({ abi: ERC20, ...call }) !== data) return null;
    return { asset, amount: call.args.at(-1) as bigint };
  } catch {
    return null;
  }
}
