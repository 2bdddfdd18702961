import { ok, warn, type Finding } from '../finding.js';

/** A node that a tenant has chosen. Its address may hold a key, so it goes by its network. */
export interface ChainNode {
  chain: string;
  /** The chain id of EVM networks, and what stands for it elsewhere. */
  number: string;
  url: string;
}

/** What keeps a node from being asked about its network; null when it answers for it. */
export type NodeFault = string | null;

/** Minutes. Networks make blocks within seconds: a node whose newest one is older has fallen behind. */
const MOST_HEAD_AGE = 10;

/** @param block the newest one of an EVM node; `now` in milliseconds */
export function headFault(block: unknown, now: number): NodeFault {
  const seconds = Number((block as { timestamp?: unknown } | null | undefined)?.timestamp);
  if (!(seconds >= 0)) return 'tells of no block';
  const minutes = Math.floor((now / 1_000 - seconds) / 60);
  return minutes < MOST_HEAD_AGE ? null : `its newest block is ${minutes} min old`;
}

const AT_ONCE = 8;
const MOST_NAMED = 5;
const FIX = 'let the service reach them (EGRESS_ALLOW), or tell their teams; gates refuse while their nodes are silent';

/**
 * @param nodes null when the database did not answer; at most one more than `most`
 * @param ask one of them
 */
export async function checkChainNodes(
  nodes: readonly ChainNode[] | null,
  most: number,
  ask: (node: ChainNode) => Promise<NodeFault>,
): Promise<Finding> {
  if (!nodes) return warn('not looked at: the database did not answer');
  const looked = nodes.slice(0, most);
  if (looked.length === 0) return ok('no tenant has chosen a node of its own');
  const faults: string[] = [];
  for (let at = 0; at < looked.length; at += AT_ONCE) {
    const some = looked.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map(async (node) => ({ node, fault: await ask(node) })));
    for (const { node, fault } of found) if (fault !== null) faults.push(`${node.chain} ${node.number}: ${fault}`);
  }
  const rest = nodes.length > most ? `; more than ${most} are not looked at` : '';
  const counted = looked.length === 1 ? 'the node' : `the ${looked.length} nodes`;
  if (faults.length === 0)
    return ok(`${counted} that tenants have chosen answer${looked.length === 1 ? 's' : ''}${rest}`);
  const named = faults.slice(0, MOST_NAMED).join('; ');
  const others = faults.length > MOST_NAMED ? `; and ${faults.length - MOST_NAMED} more` : '';
  return warn(
    `${faults.length} of ${counted} that tenants have chosen do not answer for their network (${named}${others})${rest}`,
    FIX,
  );
}
