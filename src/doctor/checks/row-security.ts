import type { TenantTable } from '../../database/index.js';
import { fail, ok, warn, type Finding } from '../finding.js';

export interface RowSecurityState {
  /** Whether the service's role is a superuser or has BYPASSRLS, and so bypasses every policy. */
  bypasses: boolean;
  tables: readonly TenantTable[];
}

const GUIDE = 'docs/running.md, "Row-level security"';
const FIX = `npm run migration:run with the intended DATABASE_ROW_SECURITY: ${GUIDE}`;
/** Tables of the trail and of sealed keys, where the service does not own them: it can neither make nor drop a policy. */
const FIX_BY_OTHERS = `npm run migration:run with the intended DATABASE_ROW_SECURITY, as a superuser, since they belong to another role: ${GUIDE}`;

const fixOf = (tables: readonly TenantTable[]): string => (tables.some(({ isOwn }) => isOwn) ? FIX : FIX_BY_OTHERS);

/** @param state null if the database cannot be used */
export function checkRowSecurity(isOn: boolean, state: RowSecurityState | null): Finding {
  if (!state) return warn('not checked: the database cannot be used');
  const { bypasses, tables } = state;
  const touched = tables.filter(({ isTouched }) => isTouched);
  if (!isOn) {
    if (touched.length === 0) return ok('off');
    return fail(
      `off, but ${touched.length} tables have policies (${touched[0]!.table}): the service does not start`,
      fixOf(touched),
    );
  }
  const open = tables.filter(({ isGuarded }) => !isGuarded);
  if (open.length > 0) return fail(`on, but ${open.length} tables have no policy (${open[0]!.table})`, fixOf(open));
  if (!bypasses) return ok(`on, ${tables.length} tables have their policy`);
  return fail('on, but the role of the service bypasses every policy', 'use a role without SUPERUSER and BYPASSRLS');
}
