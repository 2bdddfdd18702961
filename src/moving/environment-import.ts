import { Injectable } from '@nestjs/common';
import {
  areValuesRefused,
  isShared,
  MovedRows,
  translateDatabaseError,
  UnitOfWork,
  violatedConstraint,
  type EnvironmentId,
  type Transaction,
} from '../database/index.js';
import { missedMigrations, passageAad, passageInfo, tableOfMember } from './archive-format.js';
import { ArchiveReader, type VerifiedArchive } from './archive-reader.js';
import { EnvironmentImportsRepository } from './environment-imports.repository.js';
import { MovingParts, type ArchivedRow, type MovedTable, type SealHands } from './moving-part.js';
import { MovingRefusedError } from './moving-refused.error.js';
import { operatorPublicKey, publicKeyText } from './operator-key.js';
import { Seals } from './seals.js';

interface ArchivedLine {
  readonly row: ArchivedRow;
  readonly sealed?: { readonly enc: string; readonly ciphertext: string };
}

/** A member with everything needed to write it: nothing is opened or sealed inside its transaction. */
interface PreparedMember {
  readonly table: MovedTable;
  readonly name: string;
  readonly lines: readonly string[];
  readonly patches: Record<string, unknown>[];
  readonly columns: readonly string[];
  /** For notifying the owner of imported secrets, with their rows. */
  readonly sealing: { hands: SealHands; rows: ArchivedRow[] } | null;
}

type OnMember = (name: string, of: { done: number; members: number }) => void;

/** What the caller adds to an import. */
interface ImportHooks {
  onMember?: OnMember;
  /** Runs in the transaction that makes the environment available. */
  onFinish?: (tx: Transaction) => void | Promise<void>;
}

export interface ImportResult {
  /** The number of members written by earlier runs. */
  readonly resumedAt: number;
  readonly rows: number;
}

const bytesLiteral = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
const UNKNOWN_DIGEST =
  'An import of another archive into this environment was begun here. Finish that one, or give it up with --discard.';
const BEING_REMOVED =
  'An import of this environment was given up, or its project was deleted; what it wrote is being removed: try again later.';

/**
 * Writes the rows of a verified archive, one transaction per member, which also records the progress: an interrupted import
 * resumes after the last committed member. Until the last one, nobody can use the environment.
 */
@Injectable()
export class EnvironmentImport {
  constructor(
    private readonly parts: MovingParts,
    private readonly archives: ArchiveReader,
    private readonly rows: MovedRows,
    private readonly seals: Seals,
    private readonly imports: EnvironmentImportsRepository,
    private readonly work: UnitOfWork,
  ) {}

  /** Whether the archive has been imported completely, by any run. */
  async isDone(archive: VerifiedArchive, environmentId: EnvironmentId): Promise<boolean> {
    const known = await this.imports.find(environmentId, {});
    return known !== null && known.finishedAt !== null && known.digest === archive.digest;
  }

  /** Removes the written rows in the background. False if the environment is not being imported. */
  discard(environmentId: EnvironmentId): Promise<boolean> {
    return this.imports.discard(environmentId);
  }

  /** @throws MovingRefusedError */
  async run(
    archive: VerifiedArchive,
    environmentId: EnvironmentId,
    secret: Uint8Array,
    { onMember = () => undefined, onFinish }: ImportHooks = {},
  ): Promise<ImportResult> {
    if (publicKeyText(await operatorPublicKey(secret)) !== archive.head.publicKey) {
      throw new MovingRefusedError(`The archive is sealed to another key: ${archive.head.publicKey}.`);
    }
    const from = await this.placeOf(archive, environmentId);
    const base: PreparedMember[] = [];
    let at = 0;
    let rows = 0;
    for await (const member of this.archives.members(archive)) {
      if (at++ < from) continue;
      const prepared = await this.prepare(archive, environmentId, member, secret).catch((error: unknown) => {
        throw isOfText(error) ? new MovingRefusedError(`${member.name} has a row that cannot be read.`) : error;
      });
      rows += prepared.lines.length;
      // The environment's parents are created in the transaction that begins the import.
      if (prepared.table.reach !== 'rows') {
        base.push(prepared);
        continue;
      }
      if (base.length > 0) await this.begin(archive, environmentId, base.splice(0), onMember);
      await this.explained(member.name, () =>
        this.work.run(async (tx) => {
          await this.advance(archive, environmentId, at - 1, tx);
          await this.write(environmentId, prepared, tx);
        }),
      );
      onMember(member.name, { done: at, members: archive.members.length });
    }
    if (base.length > 0) await this.begin(archive, environmentId, base, onMember);
    await this.work.run(async (tx) => {
      if (!(await this.imports.finish(environmentId, archive.digest, archive.members.length, tx))) {
        throw await this.stopped(environmentId, tx);
      }
      await this.amend(archive, environmentId, tx);
      await onFinish?.(tx);
    });
    return { resumedAt: from, rows };
  }

  /** Does with the rows of an older version what its migrations would have done. */
  private async amend({ head }: VerifiedArchive, environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    const missed = missedMigrations(head);
    if (missed.size === 0) return;
    tx.takeTime();
    await this.parts.imported(environmentId, missed, tx);
  }

  /** The member to resume at: 0 for a new import. @throws MovingRefusedError */
  private async placeOf({ digest }: VerifiedArchive, environmentId: EnvironmentId): Promise<number> {
    const begun = await this.imports.find(environmentId, {});
    if (begun?.finishedAt)
      throw new MovingRefusedError('This environment was imported already: there is nothing to do.');
    if (begun && begun.digest !== digest) throw new MovingRefusedError(UNKNOWN_DIGEST);
    if (begun && !(await this.imports.isHidden(environmentId))) throw new MovingRefusedError(BEING_REMOVED);
    if (begun) return begun.done;
    const itself = this.parts.moving.find(({ reach }) => reach === 'itself')!;
    if ((await this.rows.count(itself, environmentId)) > 0) {
      throw new MovingRefusedError('This environment exists here: an archive is imported where it does not.');
    }
    return 0;
  }

  private async begin(
    { digest, members }: VerifiedArchive,
    environmentId: EnvironmentId,
    base: readonly PreparedMember[],
    onMember: OnMember,
  ): Promise<void> {
    await this.explained(base.map(({ name }) => name).join(', '), () =>
      this.work.run(async (tx) => {
        for (const member of base) await this.write(environmentId, member, tx);
        await this.imports.insert(environmentId, { digest, done: base.length }, tx);
        await this.parts.importing(environmentId, tx);
      }),
    );
    base.forEach(({ name }, at) => onMember(name, { done: at + 1, members: members.length }));
  }

  private async advance(
    { digest }: VerifiedArchive,
    environmentId: EnvironmentId,
    done: number,
    tx: Transaction,
  ): Promise<void> {
    if (!(await this.imports.advance(environmentId, digest, done, tx))) throw await this.stopped(environmentId, tx);
  }

  /** Why the import is not where this run left it. */
  private async stopped(environmentId: EnvironmentId, tx: Transaction): Promise<MovingRefusedError> {
    const begun = await this.imports.find(environmentId, {}, tx);
    const isKept = begun && (begun.finishedAt ?? (await this.imports.isHidden(environmentId, tx)));
    return isKept ? overtaken() : new MovingRefusedError(BEING_REMOVED);
  }

  private async prepare(
    { head }: VerifiedArchive,
    environmentId: EnvironmentId,
    member: { name: string; lines: readonly string[] },
    secret: Uint8Array,
  ): Promise<PreparedMember> {
    const name = tableOfMember(member.name);
    const table = this.parts.moving.find((one) => this.rows.tableOf(one) === name)!;
    const parsed = member.lines.map((line) => JSON.parse(line) as ArchivedLine);
    const { seal, renewal, derived, reach } = table;
    const hands = seal && this.seals.handsOf(seal);
    const column = seal && this.rows.columnOf(table, seal.column);
    const key = this.rows.keyOf(table);
    const info = passageInfo(head);
    const patches = await Promise.all(
      parsed.map(async ({ row, sealed }): Promise<Record<string, unknown>> => {
        if (derived) return derived.make(row);
        if (reach === 'itself') return { deleted_at: 'infinity' };
        const renewed = renewal ? await renewal.make(environmentId, row) : {};
        if (!hands || !column || !sealed) return renewed;
        const aad = passageAad(
          name,
          column,
          key.map((one) => row[one]),
        );
        const message = {
          enc: Buffer.from(sealed.enc, 'base64'),
          ciphertext: Buffer.from(sealed.ciphertext, 'base64'),
        };
        const admitted = await hands.admit(environmentId, row, { ...message, secret, info, aad });
        if (!admitted) throw new MovingRefusedError(`A secret of ${name} does not open: it is of another row.`);
        return { ...renewed, [column]: bytesLiteral(admitted.sealed), master_key_id: admitted.masterKeyId };
      }),
    );
    const secrets = parsed.filter(({ sealed }) => sealed).map(({ row }) => row);
    const archived = head.tables.find((one) => one.name === name)!.columns;
    const made = derived?.columns.map((one) => this.rows.columnOf(table, one)) ?? [];
    const columns = [...new Set([...archived, ...made])];
    const sealing = hands && secrets.length > 0 ? { hands, rows: secrets } : null;
    return { table, name: member.name, lines: member.lines, patches, columns, sealing };
  }

  private async write(environmentId: EnvironmentId, member: PreparedMember, tx: Transaction): Promise<void> {
    const { table, name, lines, patches, columns, sealing } = member;
    const written = await this.rows.insert(table, columns, { environmentId, rows: lines, patches }, tx);
    if (written !== lines.length && !isShared(table)) {
      throw new MovingRefusedError(`${name} has rows of another environment.`);
    }
    await sealing?.hands.admitted?.(environmentId, sealing.rows, tx);
  }

  private async explained(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'environments_pkey' || constraint === 'environment_imports_pkey') throw overtaken();
      if (constraint) throw new MovingRefusedError(`Something here stands in the way: ${constraint}.`);
      const known = translateDatabaseError(error);
      if (known && known.status < 500) throw new MovingRefusedError(known.message);
      if (!areValuesRefused(error)) throw error;
      throw new MovingRefusedError(`${name} has a row without a place here: ${(error as Error).message}.`);
    }
  }
}

/** Whoever writes an archive can make matching digests of any text. */
const isOfText = (error: unknown): boolean => error instanceof SyntaxError || error instanceof TypeError;

const overtaken = (): MovingRefusedError =>
  new MovingRefusedError('Another import of this environment is running: let it finish, then look again.');
