import { decodeEventLog, parseAbi, toEventSelector, type Hex } from 'viem';
import type { Log } from './event-logs.js';
import type { OperationFailure } from './outcome.js';
import { revertReason } from './revert-reason.js';

/** Events of entry points of every version (ERC-4337). */
const EVENTS = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
  'event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
]);
const SELECTORS: ReadonlySet<unknown> = new Set(EVENTS.map((event) => toEventSelector(event)));

/**
 * The operations that an entry point charged for though they failed. Its own call succeeds then, and only its events say
 * so: first the reason, if there is one, and then the result.
 */
export function failedOperationsOf(logs: readonly Log[]): OperationFailure[] {
  const reasons = new Map<string, string>();
  return logs.flatMap(({ address, topics, data }) => {
    const event = eventOf(topics, data);
    if (!event) return [];
    const { eventName, args } = event;
    const key = `${address.toLowerCase()} ${args.userOpHash}`;
    if (eventName !== 'UserOperationEvent') {
      reasons.set(key, revertReason(args.revertReason));
      return [];
    }
    if (args.success) return [];
    return [{ entryPoint: address, sender: args.sender, reason: reasons.get(key) ?? 'execution reverted' }];
  });
}

function eventOf(topics: readonly Hex[], data: Hex) {
  if (!SELECTORS.has(topics[0])) return null;
  try {
    return decodeEventLog({ abi: EVENTS, topics: topics as [Hex, ...Hex[]], data });
  } catch {
    return null;
  }
}
