import type { History, UserRow } from '../world/history.js';
import type { Operation } from '../load/ledger.js';
import { judge, type Finding } from './finding.js';

/** P1: acknowledged changes exist, and refused ones do not. */
export function checkAcknowledged({ operations, users, codes }: History): Finding {
  const byEmail = new Map(users.map((user) => [user.email, user]));
  const byId = new Map(users.map((user) => [user.id, user]));
  const usedCodes = new Map(codes.map((code) => [code.id, code]));
  const violations: string[] = [];
  for (const operation of operations) {
    const { kind, key, outcome, resultId } = operation;
    if (kind === 'createUser') {
      const found = byEmail.get(key);
      if (outcome === 'ok' && !found) violations.push(`user ${key} was acknowledged and is lost`);
      if (outcome === 'ok' && found && resultId !== found.id) violations.push(`user ${key} has another id`);
      if (outcome === 'refused' && found) violations.push(`user ${key} was refused and exists`);
    } else if (kind === 'createWallet' && outcome === 'ok' && !byEmail.get(key)?.wallets) {
      violations.push(`the wallet of ${key} was acknowledged and is lost`);
    } else if (kind === 'signIn') {
      const code = usedCodes.get(key);
      if (outcome === 'ok' && !code) violations.push(`sign-in ${key} was acknowledged, its code is unused`);
      if (outcome === 'ok' && code && !byEmail.get(code.email)?.sessions) violations.push(`session of ${key} is lost`);
    }
  }
  violations.push(...lostUpdates(operations, byId));
  const acknowledged = operations.filter(({ outcome, kind }) => outcome === 'ok' && kind !== 'getUser').length;
  return judge('P1', `${acknowledged} acknowledged writes, lost ${violations.length}`, violations);
}

/** For a user changed by one client at a time: the last acknowledged value is stored, or one of unknown outcome. */
function lostUpdates(operations: readonly Operation[], users: ReadonlyMap<string, UserRow>): string[] {
  const possible = new Map<string, (string | null)[]>();
  for (const { kind, key, value, outcome } of operations) {
    if (kind !== 'updateUser') continue;
    if (outcome === 'ok') possible.set(key, [value]);
    if (outcome === 'unknown' || outcome === 'open') possible.set(key, [...(possible.get(key) ?? ['as made']), value]);
  }
  return [...possible].flatMap(([id, values]) => {
    const found = users.get(id);
    if (!found) return [`user ${id} was updated and is lost`];
    return values.includes(found.alias) ? [] : [`user ${id} is "${found.alias}", not "${values.at(-1)}"`];
  });
}
