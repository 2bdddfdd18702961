import type { TenantTable } from '../../database/index.js';
import { fail, ok, warn, type Finding } from '../finding.js';

export interface RowSecurityState {
  /** Whether the role of the service is a superuser or has BYPASSRLS, for whom no policy counts. */
  bypasses: boolean;
  tables: readonly TenantTable[];
}

const FIX = 'npm run migration:run, with the setting that is meant: docs/running.md, "Row-level security"';

/** @param state null when the database did not answer */
export function checkRowSecurity(isOn: boolean, state: RowSecurityState | null): Finding {
  if (!state) return warn('not looked at: the database did not answer');
  const { bypasses, tables } = state;
  const touched = tables.filter(({ isTouched }) => isTouched);
  if (!isOn) {
    if (touched.length === 0) return ok('off');
    return fail(
      `off, and ${touched.length} tables have policies (${touched[0]!.table}): the service does not start`,
      FIX,
    );
  }
  const open = tables.filter(({ isGuarded }) => !isGuarded);
  if (open.length > 0) return fail(`on, and ${open.length} tables have no policy (${open[0]!.table})`, FIX);
  if (!bypasses) return ok(`on, ${tables.length} tables have their policy`);
  return fail('on, and the role of the service passes by every policy', 'a role without SUPERUSER and BYPASSRLS');
}
