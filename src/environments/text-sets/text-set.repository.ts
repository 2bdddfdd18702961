import type { EntityTarget } from 'typeorm';
import {
  ScopedRepository,
  type Database,
  type EnvironmentEntity,
  type EnvironmentId,
  type Insert,
  type Transaction,
  type Where,
} from '../../database/index.js';

/** Unique strings of an environment; `column` contains the text. */
export abstract class TextSetRepository<Row extends EnvironmentEntity> extends ScopedRepository<Row> {
  constructor(
    database: Database,
    entity: EntityTarget<Row>,
    private readonly column: keyof Row & string,
  ) {
    super(database, entity);
  }

  textOf(row: Row): string {
    return row[this.column] as string;
  }

  /** Null when the environment already has the text, or `most` texts. */
  add(most: number, environmentId: EnvironmentId, id: string, text: string, tx: Transaction): Promise<Row | null> {
    const values = { id, [this.column]: text } as unknown as Insert<Row, 'environmentId'>;
    return this.insertIfRoom(most, environmentId, values, tx);
  }

  async has(environmentId: EnvironmentId, text: string, tx: Transaction): Promise<boolean> {
    return (await this.find(environmentId, { [this.column]: text } as Where<Row, 'environmentId'>, tx)) !== null;
  }
}
