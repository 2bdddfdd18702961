import { isUuid } from '../common/ids.js';
import { MIGRATIONS } from '../database/index.js';
import { MovingRefusedError } from './moving-refused.error.js';

export const ARCHIVE_FORMAT = 'gatehouse-environment';
export const ARCHIVE_VERSION = 1;
/** The first member, and the last. */
export const HEAD = 'head.json';
export const MANIFEST = 'manifest.json';
/** The maximum number of migrations named in a refusal; further ones are counted. */
const MOST_NAMED = 5;
/** Rows per member; each member is imported in one transaction. */
export const ROWS_OF_MEMBER = 500;

/** The header of an archive. */
export interface ArchiveHead {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly version: typeof ARCHIVE_VERSION;
  readonly exportId: string;
  readonly environmentId: string;
  readonly exportedAt: string;
  /** The last migration of the installation that wrote the archive. */
  readonly migration: string;
  /**
   * All its migrations: the last may be an extension's, which says nothing of the version. Absent in older archives.
   */
  readonly migrations?: readonly string[];
  /** The public key that the secrets are encrypted to. */
  readonly publicKey: string;
  readonly tables: readonly ArchivedTable[];
  readonly staysBehind: readonly { table: string; reason: string }[];
}

export interface ArchivedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly sealed: string | null;
}

export interface Manifest {
  readonly members: readonly { readonly name: string; readonly sha256: string }[];
}

/** The schema information recorded in an archive. */
export function schemaOfArchive(): Pick<ArchiveHead, 'migration' | 'migrations'> {
  const migrations = MIGRATIONS.map(({ name }) => name);
  return { migration: migrations.at(-1)!, migrations };
}

export const memberName = (table: string, batch: number): string => `${table}/${String(batch).padStart(6, '0')}.ndjson`;

export const tableOfMember = (name: string): string => name.split('/', 1)[0]!;

/** The HPKE `info` of an archive's secrets. */
export const passageInfo = ({ environmentId, exportId }: Pick<ArchiveHead, 'environmentId' | 'exportId'>): Buffer =>
  Buffer.from(`gatehouse/environment-archive/v1|${environmentId}|${exportId}`);

/** The HPKE `aad`: the column and row a secret belongs to. It cannot be opened as any other. */
export const passageAad = (table: string, column: string, key: readonly unknown[]): Buffer =>
  Buffer.from(JSON.stringify([table, column, ...key.map(String)]));

/** Migrations that the exporting installation lacked: what they do with stored rows is still to be done with the imported ones. */
export function missedMigrations({
  migration,
  migrations,
}: Pick<ArchiveHead, 'migration' | 'migrations'>): Set<string> {
  const here = MIGRATIONS.map(({ name }) => name);
  const there = new Set(migrations ?? here.slice(0, here.indexOf(migration) + 1));
  return new Set(here.filter((name) => !there.has(name)));
}

/** @throws MovingRefusedError unless it is the header of an archive that this version can read */
export function parseHead(bytes: Buffer): ArchiveHead {
  const head = JSON.parse(bytes.toString()) as ArchiveHead;
  if (head.format !== ARCHIVE_FORMAT || head.version !== ARCHIVE_VERSION || !isUuid(head.environmentId)) {
    throw new MovingRefusedError('The archive is in another format than this version reads.');
  }
  const here = new Set(MIGRATIONS.map(({ name }) => name));
  const missing = (head.migrations ?? [head.migration]).filter((name) => !here.has(name));
  if (missing.length > 0) {
    const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
    throw new MovingRefusedError(
      `The archive is from an installation with migrations that this one lacks: ${missing.slice(0, MOST_NAMED).join(', ')}` +
        `${more}. Update this installation first, or list the extensions that they belong to.`,
    );
  }
  return head;
}
