import { getAddress, isAddress, isHash, isHex } from 'viem';
import { foreignText } from '../foreign-text.js';
import { ChainUnreadableError } from '../rpc/chain-unreadable.error.js';
import { isOfNode, type RpcFault, type RpcReply } from '../rpc/json-rpc.js';
import { approvalsOf, movementsOf, type Log } from './event-logs.js';
import { failedOperationsOf } from './operation-events.js';
import type { Outcome } from './outcome.js';
import { revertReason } from './revert-reason.js';

const garbage = (): ChainUnreadableError => new ChainUnreadableError('garbage', 'the node answered no simulation');

const failed = (failure: string): Outcome => ({ movements: [], approvals: [], failure });

/** Some nodes use one code for all errors, so only the message shows that the transaction is at fault. */
const OF_TRANSACTION = /insufficient|revert|\bgas\b|funds|\bbalance\b|nonce|\bfee\b/i;
/** EIP-1474: resource unavailable. */
const AWAY = -32002;

/**
 * A node refuses calls that cannot start, such as those that cost more than the account has. A node that cannot answer,
 * or denies the service access, has said nothing about the transaction.
 */
function refused({ code, message }: RpcFault): Outcome {
  if ((isOfNode(code) || code === AWAY) && !OF_TRANSACTION.test(message)) throw garbage();
  return failed(message || 'the node refused the transaction');
}

interface CallResult {
  status?: unknown;
  returnData?: unknown;
  error?: { message?: unknown; data?: unknown };
  logs?: unknown;
}

/** The result of `eth_simulateV1` for `count` calls. @throws ChainUnreadableError */
export function simulatedOutcome(reply: RpcReply | undefined, count: number): Outcome {
  if (reply?.error) return refused(reply.error);
  const [block] = (Array.isArray(reply?.result) ? reply.result : []) as { calls?: unknown }[];
  if (!Array.isArray(block?.calls) || block.calls.length !== count) throw garbage();
  const results = block.calls as CallResult[];
  const bad = results.find(({ status }) => status !== '0x1');
  if (bad) {
    if (bad.status !== '0x0') throw garbage();
    const data = isHex(bad.returnData) && bad.returnData !== '0x' ? bad.returnData : bad.error?.data;
    const words = revertReason(data);
    return failed(
      words === 'execution reverted' && typeof bad.error?.message === 'string'
        ? foreignText(bad.error.message, 300)
        : words,
    );
  }
  return outcomeOf(results.flatMap(({ logs }) => logsOf(logs)));
}

function outcomeOf(logs: readonly Log[]): Outcome {
  const failedOperations = failedOperationsOf(logs);
  return {
    movements: logs.flatMap(movementsOf).filter(({ amount }) => amount > 0n),
    approvals: logs.flatMap(approvalsOf),
    failure: null,
    ...(failedOperations.length > 0 && { failedOperations }),
  };
}

function logsOf(value: unknown): Log[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<Log>[]).map(({ address, topics, data }) => {
    const isSound =
      isAddress(address ?? '', { strict: false }) &&
      isHex(data) &&
      Array.isArray(topics) &&
      topics.every((topic: unknown) => typeof topic === 'string' && isHash(topic));
    if (!isSound) throw garbage();
    return { address: address!, topics, data };
  });
}

interface Frame {
  type?: unknown;
  from?: unknown;
  to?: unknown;
  value?: unknown;
  error?: unknown;
  output?: unknown;
  logs?: unknown;
  calls?: unknown;
}
const MOST_FRAMES = 10_000;

/** Geth's `callTracer`: nested frames; a failed frame reverts everything within it. */
export function tracedOutcome(reply: RpcReply | undefined): Outcome {
  if (reply?.error) return refused(reply.error);
  const root = reply?.result as Frame | null;
  if (typeof root !== 'object' || root === null || typeof root.type !== 'string') throw garbage();
  if (root.error !== undefined) return failed(reasonOf(root));
  const outcome: Outcome = { movements: [], approvals: [], failure: null };
  const logs: Log[] = [];
  const waiting: (Frame | Log)[] = [root];
  for (let seen = 0; waiting.length > 0;) {
    const step = waiting.pop()!;
    if ('topics' in step) {
      const { movements, approvals } = outcomeOf([step]);
      outcome.movements.push(...movements);
      outcome.approvals.push(...approvals);
      logs.push(step);
      continue;
    }
    if (seen === MOST_FRAMES) throw garbage();
    seen += 1;
    if (step.error !== undefined) continue;
    outcome.movements.push(...currencyOf(step));
    waiting.push(...stepsOf(step).reverse());
  }
  const failedOperations = failedOperationsOf(logs);
  return { ...outcome, ...(failedOperations.length > 0 && { failedOperations }) };
}

/**
 * The logs and calls of a frame in the order in which they happened, since a later approval replaces an earlier one:
 * `position` says how many calls precede a log. Nodes before it existed give none, and such logs come first.
 */
function stepsOf({ logs, calls }: Frame): (Frame | Log)[] {
  const below = (Array.isArray(calls) ? calls : []) as Frame[];
  const placed = logsOf(logs).map((log, at) => {
    const position = (logs as { position?: unknown }[])[at]!.position;
    return { step: log, place: isHex(position) ? Number(position) : 0 };
  });
  const all = [...placed, ...below.map((call, at) => ({ step: call, place: at + 0.5 }))];
  return all.sort((a, b) => a.place - b.place).map(({ step }) => step);
}

function reasonOf({ error, output }: Frame): string {
  const words = revertReason(output);
  return words === 'execution reverted' && typeof error === 'string' ? foreignText(error, 300) : words;
}

/** A delegate call repeats the value of its parent call, and transfers nothing. */
function currencyOf({ type, from, to, value }: Frame): Outcome['movements'] {
  if (type === 'DELEGATECALL' || type === 'STATICCALL' || !isHex(value) || !isHex(from) || !isHex(to)) return [];
  const amount = BigInt(value);
  if (amount === 0n) return [];
  if (!isAddress(from, { strict: false }) || !isAddress(to, { strict: false })) throw garbage();
  return [{ token: null, kind: 'NATIVE', from: getAddress(from), to: getAddress(to), amount }];
}
