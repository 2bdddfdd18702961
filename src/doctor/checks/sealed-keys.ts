import { fail, ok, warn, type Finding } from '../finding.js';

/** What the role of the service may do with one of the tables in which keys of wallets are sealed. */
export interface KeyRights {
  /** The sealed column, with its table. */
  column: string;
  /** May read it, or may become who does. */
  reads: boolean;
  /** Columns beside it that it may not read, and has to. */
  lacks: readonly string[];
}

const FIX = 'see docs/running.md, "A role that alone may read sealed keys"';

/**
 * @param isElsewhere SIGNER_READS_KEYS: the signer alone is to read them
 * @param rights null when the database does not answer, and none before the first start
 */
export function checkSealedKeys(isElsewhere: boolean, rights: readonly KeyRights[] | null): Finding {
  if (!rights || rights.length === 0)
    return warn('not looked at: there are no tables yet, or the database did not answer');
  const readable = rights.filter(({ reads }) => reads).map(({ column }) => column);
  const missing = rights.flatMap(({ column, lacks }) => lacks.map((one) => `${column.split('.')[0]}.${one}`));
  if (missing.length > 0) return fail(`the role of the service may not read ${missing.join(', ')}`, FIX);
  if (isElsewhere) {
    return readable.length === 0
      ? ok('the role of the service may not read them')
      : fail(`SIGNER_READS_KEYS is true, and the role of the service may read ${readable.join(', ')}`, FIX);
  }
  return readable.length === rights.length
    ? ok('instances read them to hand them to their signer')
    : fail('the role of the service may not read them, and SIGNER_READS_KEYS is not set', FIX);
}
