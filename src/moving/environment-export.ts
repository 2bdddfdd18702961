import { rmSync } from 'node:fs';
import { rm, rename } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { MovedRows, UnitOfWork, type EnvironmentId, type Transaction } from '../database/index.js';
import { ArchiveWriter, readArchive, sha256Hex, type ArchiveMember } from './archive-file.js';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  HEAD,
  MANIFEST,
  memberName,
  passageAad,
  passageInfo,
  ROWS_OF_MEMBER,
  schemaOfArchive,
  tableOfMember,
  type ArchiveHead,
} from './archive-format.js';
import { EnvironmentSurvey } from './environment-survey.js';
import { MovingParts, type ArchivedRow, type MovedTable } from './moving-part.js';
import { publicKeyText } from './operator-key.js';
import { Seals } from './seals.js';

type NamedTable = MovedTable & { name: string };

/** A row in the spool: its text, and its sealed values, still under the master key. */
type SpooledRow = [row: string, sealed: string | null];

export interface ExportedArchive {
  readonly digest: string;
  readonly rows: number;
}

/**
 * Exports an environment to one archive. First its rows are written to a spool file, from one snapshot and with secrets
 * as stored; then, outside of any transaction, secrets are sealed to the operator's key, and the spool is removed.
 */
@Injectable()
export class EnvironmentExport {
  constructor(
    private readonly parts: MovingParts,
    private readonly survey: EnvironmentSurvey,
    private readonly rows: MovedRows,
    private readonly seals: Seals,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param path a file that appears only when complete
   * @param publicKey the key that secrets are sealed to
   */
  async write(environmentId: EnvironmentId, path: string, publicKey: Uint8Array): Promise<ExportedArchive> {
    const [spool, part] = [`${path}.spool`, `${path}.part`];
    const tables = await this.survey.tablesInOrder();
    // Left by a killed export. If something else is put there in the meantime, it is not followed.
    await rm(spool, { force: true });
    await rm(part, { force: true });
    // An interrupted command exits in the middle, and would leave the data of everybody behind.
    const forget = (): void => [spool, part].forEach((file) => rmSync(file, { force: true }));
    process.once('exit', forget);
    try {
      await this.work.run((tx) => this.parts.exporting(environmentId, tx));
      await this.work.run((tx) => this.spool(environmentId, tables, spool, tx));
      const exported = await this.seal(environmentId, tables, { spool, part, publicKey });
      await rename(part, path);
      return exported;
    } finally {
      process.off('exit', forget);
      forget();
    }
  }

  private async spool(
    environmentId: EnvironmentId,
    tables: readonly NamedTable[],
    path: string,
    tx: Transaction,
  ): Promise<void> {
    this.rows.openSnapshot(tx);
    const writer = new ArchiveWriter(path);
    try {
      for (const table of tables) {
        let after: string[] | null = null;
        for (let batch = 1; ; batch++) {
          const found = await this.rows.list(table, { environmentId, after, limit: ROWS_OF_MEMBER }, tx);
          if (found.length > 0) {
            const spooled = found.map(({ row, sealed }): SpooledRow => [row, sealed[0]?.toString('base64') ?? null]);
            await writer.add(memberName(table.name, batch), JSON.stringify(spooled));
          }
          if (found.length < ROWS_OF_MEMBER) break;
          after = found.at(-1)!.key;
        }
      }
      await writer.end();
    } catch (error) {
      writer.destroy();
      throw error;
    }
  }

  private async seal(
    environmentId: EnvironmentId,
    tables: readonly NamedTable[],
    { spool, part, publicKey }: { spool: string; part: string; publicKey: Uint8Array },
  ): Promise<ExportedArchive> {
    const head = this.headOf(environmentId, tables, publicKey);
    const writer = new ArchiveWriter(part);
    let rows = 0;
    try {
      await writer.add(HEAD, `${JSON.stringify(head, null, 2)}\n`);
      for await (const member of readArchive(spool)) {
        const table = tables.find(({ name }) => name === tableOfMember(member.name))!;
        const lines = await this.linesOf(environmentId, table, member, { head, publicKey });
        rows += lines.length;
        await writer.add(member.name, `${lines.join('\n')}\n`);
      }
      const manifest = JSON.stringify({ members: writer.members }, null, 2);
      await writer.add(MANIFEST, manifest);
      await writer.end();
      return { digest: sha256Hex(Buffer.from(manifest)), rows };
    } catch (error) {
      writer.destroy();
      throw error;
    }
  }

  private async linesOf(
    environmentId: EnvironmentId,
    table: NamedTable,
    member: ArchiveMember,
    { head, publicKey }: { head: ArchiveHead; publicKey: Uint8Array },
  ): Promise<string[]> {
    const spooled = JSON.parse(member.bytes.toString()) as SpooledRow[];
    const { seal } = table;
    if (!seal) return spooled.map(([row]) => `{"row":${row}}`);
    const hands = this.seals.handsOf(seal);
    const secrets = spooled.filter(([, sealed]) => sealed !== null).map(([row]) => JSON.parse(row) as ArchivedRow);
    if (secrets.length > 0) await this.work.run(async (tx) => hands.releasing?.(environmentId, secrets, tx));
    const info = passageInfo(head);
    const key = this.rows.keyOf(table);
    const column = this.rows.columnOf(table, seal.column);
    return Promise.all(
      spooled.map(async ([text, sealed]) => {
        if (sealed === null) return `{"row":${text}}`;
        const row = JSON.parse(text) as ArchivedRow;
        const aad = passageAad(
          table.name,
          column,
          key.map((name) => row[name]),
        );
        const message = await hands.release(environmentId, row, Buffer.from(sealed, 'base64'), {
          publicKey,
          info,
          aad,
        });
        const [enc, ciphertext] = [message.enc.toString('base64'), message.ciphertext.toString('base64')];
        return `{"row":${text},"sealed":${JSON.stringify({ enc, ciphertext })}}`;
      }),
    );
  }

  private headOf(environmentId: EnvironmentId, tables: readonly NamedTable[], publicKey: Uint8Array): ArchiveHead {
    return {
      format: ARCHIVE_FORMAT,
      version: ARCHIVE_VERSION,
      exportId: newId(),
      environmentId,
      exportedAt: this.clock.now().toISOString(),
      ...schemaOfArchive(),
      publicKey: publicKeyText(publicKey),
      tables: tables.map((table) => ({
        name: table.name,
        columns: this.rows.columnsOf(table),
        sealed: table.seal && this.rows.columnOf(table, table.seal.column),
      })),
      staysBehind: this.survey.reasons,
    };
  }
}
