import { fail, ok, warn, type Finding } from '../finding.js';

/** The rights of the service's role on one of the tables with sealed wallet keys. */
export interface KeyRights {
  /** The sealed column, with its table. */
  column: string;
  /** May read it, or may assume a role that does. */
  reads: boolean;
  /** Other columns of the table that it needs to read but may not. */
  lacks: readonly string[];
}

const FIX = 'see docs/running.md, "A role that alone may read sealed keys"';

/**
 * @param isElsewhere SIGNER_READS_KEYS: only the signer should read them
 * @param rights null if the database does not respond, empty before the first start
 */
export function checkSealedKeys(isElsewhere: boolean, rights: readonly KeyRights[] | null): Finding {
  if (!rights || rights.length === 0)
    return warn('not checked: there are no tables yet, or the database cannot be used');
  const readable = rights.filter(({ reads }) => reads).map(({ column }) => column);
  const missing = rights.flatMap(({ column, lacks }) => lacks.map((one) => `${column.split('.')[0]}.${one}`));
  if (missing.length > 0) return fail(`the role of the service may not read ${missing.join(', ')}`, FIX);
  if (isElsewhere) {
    return readable.length === 0
      ? ok('the role of the service may not read them')
      : fail(`SIGNER_READS_KEYS is true, but the role of the service may read ${readable.join(', ')}`, FIX);
  }
  return readable.length === rights.length
    ? ok('instances read them and pass them to their signer')
    : fail('the role of the service may not read them, but SIGNER_READS_KEYS is not true', FIX);
}
