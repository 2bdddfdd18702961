import { ok, warn, type Finding } from '../finding.js';

/** A node chosen by a tenant. Its URL may contain a key, so reports name its network instead. */
export interface ChainNode {
  chain: string;
  /** The chain id of an EVM network, or its equivalent elsewhere. */
  number: string;
  url: string;
}

/** Why a node cannot be used for its network; null if it can. */
export type NodeFault = string | null;

/** Minutes. Networks produce blocks within seconds: a node whose newest block is older has fallen behind. */
const MOST_HEAD_AGE = 10;

/** @param block the newest block of an EVM node; `now` in milliseconds */
export function headFault(block: unknown, now: number): NodeFault {
  const seconds = Number((block as { timestamp?: unknown } | null | undefined)?.timestamp);
  if (!(seconds >= 0)) return 'reports no block';
  const minutes = Math.floor((now / 1_000 - seconds) / 60);
  return minutes < MOST_HEAD_AGE ? null : `its newest block is ${minutes} min old`;
}

const AT_ONCE = 8;
const MOST_NAMED = 5;
const FIX =
  'let the service reach them (EGRESS_ALLOW), or tell their teams; gates deny access while their nodes are down';

/**
 * @param nodes null if the database cannot be used; at most one more than `most`
 * @param ask queries one node
 */
export async function checkChainNodes(
  nodes: readonly ChainNode[] | null,
  most: number,
  ask: (node: ChainNode) => Promise<NodeFault>,
): Promise<Finding> {
  if (!nodes) return warn('not checked: the database cannot be used');
  const looked = nodes.slice(0, most);
  if (looked.length === 0) return ok('no tenant uses its own node');
  const faults: string[] = [];
  for (let at = 0; at < looked.length; at += AT_ONCE) {
    const some = looked.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map(async (node) => ({ node, fault: await ask(node) })));
    for (const { node, fault } of found) if (fault !== null) faults.push(`${node.chain} ${node.number}: ${fault}`);
  }
  const rest = nodes.length > most ? `; only ${most} were checked` : '';
  const counted = looked.length === 1 ? 'the node' : `the ${looked.length} nodes`;
  if (faults.length === 0) return ok(`${counted} chosen by tenants respond${looked.length === 1 ? 's' : ''}${rest}`);
  const named = faults.slice(0, MOST_NAMED).join('; ');
  const others = faults.length > MOST_NAMED ? `; and ${faults.length - MOST_NAMED} more` : '';
  return warn(`${faults.length} of ${counted} chosen by tenants cannot be used (${named}${others})${rest}`, FIX);
}
