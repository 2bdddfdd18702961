import { canonicalJson } from '../../common/canonical-json.js';
import type { LeftItem, PartChange, PartPlan, PartState, PartTerms } from './part-plan.js';

export const ONLY_IN_TARGET = 'only in the target; --prune removes it';

/** Compares item by item, sorted by key. Items that only the target has are kept unless `prune` is set. */
export function differences(from: PartState, to: PartState, { prune }: Pick<PartTerms, 'prune'>): PartPlan {
  const plan: PartPlan = { changes: [], left: [] };
  for (const key of [...new Set([...from.keys(), ...to.keys()])].sort()) {
    const change = changeOf(key, from, to);
    if (change?.action === 'remove' && !prune) plan.left.push({ key, reason: ONLY_IN_TARGET });
    else if (change) plan.changes.push(change);
  }
  return plan;
}

/** The additions for which a target with this many items has no room: the last ones, since they are made in order. */
export function additionsBeyond(most: number, size: number, changes: readonly PartChange[]): LeftItem[] {
  const removed = changes.filter(({ action }) => action === 'remove').length;
  const added = changes.filter(({ action }) => action === 'add');
  const room = Math.max(0, most - size + removed);
  return added.slice(room).map(({ key }) => ({ key, reason: `there is no room: the target may have ${most}` }));
}

function changeOf(key: string, from: PartState, to: PartState): PartChange | null {
  if (!to.has(key)) return { action: 'add', key, after: from.get(key) };
  if (!from.has(key)) return { action: 'remove', key, before: to.get(key) };
  const [before, after] = [to.get(key), from.get(key)];
  return canonicalJson(before) === canonicalJson(after) ? null : { action: 'change', key, before, after };
}
