/** The tables that hold sealed keys. */
export type SealedKind = 'seed' | 'shares' | 'import';

/** What identifies a row. Fields that do not apply to its kind are omitted. */
export interface RowPlace {
  readonly environmentId: string;
  readonly userId: string;
  readonly keysId: string;
  /** For shares: those of another generation are not the requested ones. */
  readonly generation?: number;
  /** For an import: the session that began it. */
  readonly sessionId?: string;
}

/** Sealed keys that a signer reads from the database itself. */
export interface SealedRows {
  /**
   * The sealed column of one row. Reading an import uses it up.
   *
   * @throws KeysGone, RowsUnavailable
   */
  read(kind: SealedKind, place: RowPlace): Promise<Buffer>;
  /** What prevents it from reading, in a few words; null if nothing does. */
  findProblem(): Promise<string | null>;
}

/** The keys do not exist, or no longer exist. */
export class KeysGone extends Error {
  override readonly name = 'KeysGone';
}

/** The database does not respond, or refuses. The message quotes only the error code. */
export class RowsUnavailable extends Error {
  override readonly name = 'RowsUnavailable';
}

/** Keys as an instance identifies them: `sealed` is empty if the signer is to read it. */
type NamedRow = RowPlace & { readonly sealed: Buffer };

interface Reading {
  readonly kind: SealedKind;
  /** The index of the argument that identifies the keys. */
  readonly at: number;
}

/**
 * The operations for which a row is read. Those that return a sealed secret or release it to another installation are
 * excluded: they would give it to callers that may not read the column. The operator's programs do these.
 */
const READINGS: Readonly<Record<string, Reading>> = {
  'wallet.derive': { kind: 'seed', at: 0 },
  'wallet.sign': { kind: 'seed', at: 0 },
  'wallet.export': { kind: 'seed', at: 0 },
  'wallet.deal': { kind: 'seed', at: 0 },
  'wallet.receive': { kind: 'import', at: 0 },
  'threshold.beginReshare': { kind: 'shares', at: 1 },
  'threshold.shareAnew': { kind: 'shares', at: 2 },
  'threshold.beginSigning': { kind: 'shares', at: 1 },
  'threshold.sign': { kind: 'shares', at: 2 },
  'split.release': { kind: 'shares', at: 0 },
  'split.export': { kind: 'shares', at: 0 },
};

/** The arguments of an operation, with the sealed row filled in if the caller left it out. */
export async function withRows(
  rows: SealedRows,
  operation: string,
  args: readonly unknown[],
): Promise<readonly unknown[]> {
  if (!Object.hasOwn(READINGS, operation)) return args;
  const { kind, at } = READINGS[operation]!;
  const keys = args[at] as NamedRow;
  if (keys.sealed.length > 0) return args;
  return args.with(at, { ...keys, sealed: await rows.read(kind, keys) });
}
