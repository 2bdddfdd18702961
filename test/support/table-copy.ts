import pg from 'pg';
import { withClient } from './postgres.js';

/**
 * A table as `COPY … TO STDOUT` writes it: one line per row, columns separated by tabs, bytea as `\\x` and hexadecimal.
 */
export interface TableCopy {
  readonly table: string;
  readonly rows: Buffer;
}

/** The part of the driver's connection that COPY needs, which its types omit. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A COPY in either direction (PostgreSQL protocol, "COPY Operations"), in the form of custom queries in `pg`. */
class Copy implements pg.Submittable {
  private readonly received: Buffer[] = [];
  private failure: Error | null = null;
  private settle!: (failure: Error | null) => void;
  private readonly done = new Promise<void>((resolve, reject) => {
    this.settle = (failure) => (failure ? reject(failure) : resolve());
  });

  constructor(
    private readonly text: string,
    private readonly input: Buffer | null = null,
  ) {}

  async run(client: pg.Client): Promise<Buffer> {
    client.query(this);
    await this.done;
    return Buffer.concat(this.received);
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.received.push(Buffer.from(chunk));
  }

  handleCopyInResponse(connection: CopyConnection): void {
    if (this.input?.length) connection.sendCopyFromChunk(this.input);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {
    // The final response follows.
  }

  handleError(error: Error): void {
    this.failure = error;
    this.settle(error);
  }

  handleReadyForQuery(): void {
    this.settle(this.failure);
  }
}

/** All tables of a database at one moment. */
export function copyTables(databaseUrl: string): Promise<TableCopy[]> {
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const copies: TableCopy[] = [];
    for (const table of await tableNames(client)) {
      copies.push({ table, rows: await new Copy(`COPY ${pg.escapeIdentifier(table)} TO STDOUT`).run(client) });
    }
    await client.query('COMMIT');
    return copies;
  });
}

/** Makes the tables of a migrated database equal to the copies, with triggers and foreign keys disabled. */
export function restoreTables(databaseUrl: string, copies: readonly TableCopy[]): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    const names = (await tableNames(client)).map((name) => pg.escapeIdentifier(name));
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica; TRUNCATE ${names.join(', ')}`);
    for (const { table, rows } of copies) {
      await new Copy(`COPY ${pg.escapeIdentifier(table)} FROM STDIN`, rows).run(client);
    }
    await client.query('COMMIT');
  });
}

async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  );
  return rows.map(({ name }) => name);
}
