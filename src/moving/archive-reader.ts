import { Injectable } from '@nestjs/common';
import { MovedRows } from '../database/index.js';
import { readArchive, sha256Hex, type MemberDigest } from './archive-file.js';
import {
  HEAD,
  MANIFEST,
  parseHead,
  ROWS_OF_MEMBER,
  tableOfMember,
  type ArchiveHead,
  type Manifest,
} from './archive-format.js';
import { MovingParts } from './moving-part.js';
import { MovingRefusedError } from './moving-refused.error.js';

/** A completely read and verified archive. */
export interface VerifiedArchive {
  readonly path: string;
  readonly head: ArchiveHead;
  /** The digest of the manifest, which contains the digests of all members. */
  readonly digest: string;
  /** Members with rows, in order. */
  readonly members: readonly MemberDigest[];
}

const UNTOUCHED = 'Nothing was written.';
const LINE_FEED = 10;

/** Reads archives, and refuses those that were altered or that this installation cannot store. */
@Injectable()
export class ArchiveReader {
  constructor(
    private readonly parts: MovingParts,
    private readonly rows: MovedRows,
  ) {}

  /** @throws MovingRefusedError */
  async verify(path: string): Promise<VerifiedArchive> {
    try {
      return await this.read(path);
    } catch (error) {
      // The manifest is untrusted input.
      if (error instanceof SyntaxError || error instanceof TypeError) {
        throw new MovingRefusedError(`${path} has a head or a manifest that cannot be read. ${UNTOUCHED}`);
      }
      throw error;
    }
  }

  private async read(path: string): Promise<VerifiedArchive> {
    const seen: MemberDigest[] = [];
    let head: ArchiveHead | null = null;
    let manifest: Buffer | null = null;
    for await (const { name, bytes } of readArchive(path)) {
      if (manifest) throw new MovingRefusedError(`${path} goes on behind its manifest. ${UNTOUCHED}`);
      if (name === MANIFEST) {
        manifest = bytes;
        continue;
      }
      if (!head) head = name === HEAD ? parseHead(bytes) : null;
      if (!head) throw new MovingRefusedError(`${path} does not begin with ${HEAD}. ${UNTOUCHED}`);
      assertFew(name, bytes);
      seen.push({ name, sha256: sha256Hex(bytes) });
    }
    if (!head || !manifest) throw new MovingRefusedError(`${path} has no manifest. ${UNTOUCHED}`);
    this.compare(path, seen, JSON.parse(manifest.toString()) as Manifest);
    this.assertKnown(head, seen);
    return { path, head, digest: sha256Hex(manifest), members: seen.slice(1) };
  }

  /** The members with rows, checked against the verified digests. @throws MovingRefusedError */
  async *members({ path, members }: VerifiedArchive): AsyncGenerator<{ name: string; lines: string[] }> {
    let at = 0;
    for await (const { name, bytes } of readArchive(path)) {
      if (name === HEAD || name === MANIFEST) continue;
      const known = members[at++];
      if (known?.name !== name || known.sha256 !== sha256Hex(bytes)) {
        throw new MovingRefusedError(`${path} was changed while it was read.`);
      }
      yield { name, lines: bytes.toString().split('\n').slice(0, -1) };
    }
  }

  private compare(path: string, seen: readonly MemberDigest[], { members }: Manifest): void {
    const altered = seen.find(({ name, sha256 }, at) => members[at]?.name !== name || members[at].sha256 !== sha256);
    if (altered) throw new MovingRefusedError(`${altered.name} of ${path} was altered. ${UNTOUCHED}`);
    if (seen.length !== members.length) throw new MovingRefusedError(`Members of ${path} are missing. ${UNTOUCHED}`);
  }

  /** Refuses unknown tables and columns, which would otherwise be lost silently. */
  private assertKnown(head: ArchiveHead, seen: readonly MemberDigest[]): void {
    const known = new Map(this.parts.moving.map((table) => [this.rows.tableOf(table), this.rows.columnsOf(table)]));
    for (const { name, columns } of head.tables) {
      const here = known.get(name);
      const missing = here ? columns.find((column) => !here.includes(column)) : name;
      if (missing) throw new MovingRefusedError(`This version has no place for ${missing} of ${name}. ${UNTOUCHED}`);
    }
    const tables = new Set([HEAD, ...head.tables.map(({ name }) => name)]);
    const stranger = seen.find(({ name }) => !tables.has(tableOfMember(name)));
    if (stranger) throw new MovingRefusedError(`The archive does not say what ${stranger.name} is. ${UNTOUCHED}`);
  }
}

/** Each line becomes an object: a member of little else than line breaks would not fit in memory. */
function assertFew(name: string, bytes: Buffer): void {
  if (name === HEAD) return;
  let rows = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (++rows > ROWS_OF_MEMBER) throw new MovingRefusedError(`${name} has more rows than a member may. ${UNTOUCHED}`);
  }
}
