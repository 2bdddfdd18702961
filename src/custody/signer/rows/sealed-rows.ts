/** Where sealed keys are at rest. */
export type SealedKind = 'seed' | 'shares' | 'import';

/** By what a row is found. What is not asked for its kind is left out. */
export interface RowPlace {
  readonly environmentId: string;
  readonly userId: string;
  readonly keysId: string;
  /** Of shares: those of another generation are not the ones that were meant. */
  readonly generation?: number;
  /** Of an import: the session that began it. */
  readonly sessionId?: string;
}

/** Sealed keys that a signer reads from the database itself. */
export interface SealedRows {
  /**
   * The sealed column of one row. An import is used up by it.
   *
   * @throws KeysGone, RowsUnavailable
   */
  read(kind: SealedKind, place: RowPlace): Promise<Buffer>;
  /** What keeps it from reading, in a few words; null when nothing does. */
  findProblem(): Promise<string | null>;
}

/** No such keys, or not any more. */
export class KeysGone extends Error {
  override readonly name = 'KeysGone';
}

/** The database does not answer, or refuses. The message quotes nothing of it but its code. */
export class RowsUnavailable extends Error {
  override readonly name = 'RowsUnavailable';
}

/** Keys as an instance names them: what is sealed is empty where the signer is to read it. */
type NamedRow = RowPlace & { readonly sealed: Buffer };

interface Reading {
  readonly kind: SealedKind;
  /** Which argument names the keys. */
  readonly at: number;
}

/**
 * The operations for which a row is read. Those that hand a sealed secret back, or let it leave for another installation, are
 * not among them: whoever may not read the column would have it from here. Programs of the operator do these.
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

/** The arguments of an operation, with the sealed row that they name where it was not handed over. */
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
