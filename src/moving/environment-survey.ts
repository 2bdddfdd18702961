import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  Database,
  EnvironmentRows,
  MovedRows,
  type EnvironmentId,
  type Executor,
  type MovedColumns,
} from '../database/index.js';
import { MovingParts, type MovedTable, type StayingTable } from './moving-part.js';

export interface Survey {
  readonly moving: readonly { table: string; rows: number }[];
  /** Only tables with rows; for a table that moves, the parts of its rows that do not. */
  readonly staying: readonly { table: string; rows: number; reason: string }[];
}

/** For tables that no part declares: their rows stay as well, unintentionally. */
const UNSAID = 'no module says whether it moves';

/** Every table with a sealed column has it: the master key that the column is under. */
const MASTER_KEY = 'masterKeyId';

/** The tables, the order in which they move, and the number of an environment's rows in each. */
@Injectable()
export class EnvironmentSurvey implements OnApplicationBootstrap {
  private readonly staying = new Map<StayingTable['entity'], MovedColumns>();

  constructor(
    private readonly parts: MovingParts,
    private readonly rows: MovedRows,
    private readonly environmentRows: EnvironmentRows,
    private readonly database: Database,
  ) {}

  /**
   * A sealed column that moved like any other would stay under the master key of this installation: nobody could open it
   * at the other one, whose own master key could not be changed any more.
   *
   * @throws Error if there is one
   */
  onApplicationBootstrap(): void {
    for (const { entity, left } of this.parts.moving) {
      const { columns, tableName } = this.database.metadataOf(entity);
      const isSealed = columns.some(({ propertyName }) => propertyName === MASTER_KEY);
      if (isSealed && !left.includes(MASTER_KEY))
        throw new Error(`${tableName} has a sealed column, which moves() does not name as its seal.`);
    }
  }

  /** The environment's parents, the environment, then its rows: each table after those it refers to. */
  async tablesInOrder(): Promise<(MovedTable & { name: string })[]> {
    const tables = new Map(this.parts.moving.map((table) => [this.rows.tableOf(table), table]));
    const named = async (isRows: boolean) => {
      const names = [...tables].filter(([, { reach }]) => (reach === 'rows') === isRows).map(([name]) => name);
      return (await this.rows.inOrder(names)).map((name) => ({ ...tables.get(name)!, name }));
    };
    return [...(await named(false)), ...(await named(true))];
  }

  get reasons(): { table: string; reason: string }[] {
    return this.parts.staying
      .map(({ entity, reason }) => ({ table: this.database.metadataOf(entity).tableName, reason }))
      .sort((a, b) => (a.table < b.table ? -1 : 1));
  }

  async of(environmentId: EnvironmentId, on: Executor = this.database): Promise<Survey> {
    const moving: Survey['moving'][number][] = [];
    const staying: Survey['staying'][number][] = [];
    for (const { name, ...table } of await this.tablesInOrder()) {
      const rows = await this.rows.count(table, environmentId, on);
      moving.push({ table: name, rows });
      if (rows > 0 && table.renewal) staying.push({ table: name, rows, reason: table.renewal.reason });
    }
    for (const table of this.parts.staying) {
      const rows = await this.rows.count(this.columnsOf(table), environmentId, on);
      const { tableName } = this.database.metadataOf(table.entity);
      if (rows > 0) staying.push({ table: tableName, rows, reason: table.reason });
    }
    staying.push(...(await this.unsaid(environmentId, on)));
    return { moving, staying: staying.sort((a, b) => (a.table < b.table ? -1 : 1)) };
  }

  private async unsaid(environmentId: EnvironmentId, on: Executor): Promise<Survey['staying'][number][]> {
    const said = new Set(
      [...this.parts.moving, ...this.parts.staying].map(({ entity }) => this.database.metadataOf(entity).tableName),
    );
    const found: Survey['staying'][number][] = [];
    for (const table of await this.environmentRows.tables()) {
      if (said.has(table.table)) continue;
      const rows = await this.environmentRows.count(table, environmentId, on);
      if (rows > 0) found.push({ table: table.table, rows, reason: UNSAID });
    }
    return found;
  }

  private columnsOf({ entity }: StayingTable): MovedColumns {
    const known = this.staying.get(entity);
    if (known) return known;
    const isRows = this.database
      .metadataOf(entity)
      .columns.some(({ propertyName }) => propertyName === 'environmentId');
    const columns: MovedColumns = {
      entity,
      reach: isRows ? 'rows' : 'organization',
      unless: null,
      outlives: false,
      upTo: null,
      sealed: [],
      left: [],
    };
    this.staying.set(entity, columns);
    return columns;
  }
}
