import { ok, warn, type Finding } from '../finding.js';

/** The rights of the service's role on the audit trail, apart from INSERT. */
export interface TrailRights {
  isSuperuser: boolean;
  /** Owns the table or its schema, or may assume a role that does. */
  owns: boolean;
  makesRoles: boolean;
  /** Holds UPDATE, DELETE or TRUNCATE. */
  changes: boolean;
}

const FIX = 'give the table to another role: docs/running.md, "A role that cannot alter the trail"';

/** @param rights null before the first start, or if the database does not respond */
export function checkAuditTrail(rights: TrailRights | null, isProduction: boolean): Finding {
  if (!rights) return warn('not checked: there is no trail yet, or the database cannot be used');
  const reason = reasonOf(rights);
  if (reason === null) return ok('the role of the service may only add records');
  const meaning = `the role of the service ${reason}, so it could alter the trail`;
  return isProduction ? warn(meaning, FIX) : ok(`${meaning}; in production it should not`);
}

function reasonOf({ isSuperuser, owns, makesRoles, changes }: TrailRights): string | null {
  if (isSuperuser) return 'is a superuser';
  if (owns) return 'owns audit_records or its schema';
  if (makesRoles) return 'may create roles';
  return changes ? 'holds UPDATE, DELETE or TRUNCATE on audit_records' : null;
}
