import { isUuid } from '../common/ids.js';
import { MIGRATIONS } from '../database/index.js';
import { MovingRefusedError } from './moving-refused.error.js';

export const ARCHIVE_FORMAT = 'gatehouse-environment';
export const ARCHIVE_VERSION = 1;
/** The first member, and the last. */
export const HEAD = 'head.json';
export const MANIFEST = 'manifest.json';
/** Migrations that a refusal names; the others it counts. */
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
  /** The last migration in the list of the installation it was read from. */
  readonly migration: string;
  /** All of them: the last may be of an extension, which says nothing of the version. Absent in archives of older versions. */
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

/** What an archive says of the schema that it was read from. */
export function schemaOfArchive(): Pick<ArchiveHead, 'migration' | 'migrations'> {
  const migrations = MIGRATIONS.map(({ name }) => name);
  return { migration: migrations.at(-1)!, migrations };
}

export const memberName = (table: string, batch: number): string => `${table}/${String(batch).padStart(6, '0')}.ndjson`;

export const tableOfMember = (name: string): string => name.split('/', 1)[0]!;

/** What the secrets of an archive are sealed for. */
export const passageInfo = ({ environmentId, exportId }: Pick<ArchiveHead, 'environmentId' | 'exportId'>): Buffer =>
  Buffer.from(`gatehouse/environment-archive/v1|${environmentId}|${exportId}`);

/** Which column of which row a secret belongs to: it opens as no other. */
export const passageAad = (table: string, column: string, key: readonly unknown[]): Buffer =>
  Buffer.from(JSON.stringify([table, column, ...key.map(String)]));

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
