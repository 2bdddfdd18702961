import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentEntity } from '../base.entities.js';
import { columnOf, tableOf, type Column, type EntityClass } from '../shapes/columns.js';

/** What can become of the rows of a user who goes up in another one. */
export const MERGE_FATES = {
  moved: 'become the remaining user’s, and the other’s again when the merge is undone',
  kept: 'go, and are back when the merge is undone',
  ended: 'go for good',
  refused: 'keep their user from being merged away',
  settled: 'have a rule of their own',
} as const;
export type MergeFate = keyof typeof MERGE_FATES;

/** A table whose rows lead to users, and what a merge does with those of the user who goes. */
export interface MergedTable {
  readonly table: string;
  /** The column that names the user whom a row is of. */
  readonly subject: string;
  readonly fate: MergeFate;
  /** What the rows are, for people. */
  readonly what: string;
  readonly why: string;
  /** Columns of which a user has each value once. Where both users have it, that of the one who remains stays. */
  readonly once: readonly string[];
}

/** The same by the properties of an entity. */
interface MergeTerms<E> extends Pick<MergedTable, 'fate' | 'what' | 'why'> {
  readonly subject: Column<E>;
  readonly once?: readonly Column<E>[];
}

export const merges = <E extends Pick<EnvironmentEntity, 'environmentId'>>(
  entity: EntityClass<E>,
  { subject, once = [], ...said }: MergeTerms<E>,
): MergedTable => ({
  ...said,
  table: tableOf(entity),
  subject: columnOf(entity, subject),
  once: once.map((property) => columnOf(entity, property)),
});

/** Contexts register here at start what a merge of two users does with their tables. A test looks for tables that nobody did. */
@Injectable()
export class MergedTables {
  private readonly tables = new Map<string, MergedTable>();

  register(tables: readonly MergedTable[]): void {
    for (const one of tables) {
      if (this.tables.has(one.table)) throw new Error(`What a merge does with ${one.table} is said twice.`);
      this.tables.set(one.table, one);
    }
  }

  /** In one order, in which every merge goes through them. */
  get all(): MergedTable[] {
    return [...this.tables.values()].toSorted((one, other) => (one.table < other.table ? -1 : 1));
  }

  of(...fates: readonly MergeFate[]): MergedTable[] {
    return this.all.filter(({ fate }) => fates.includes(fate));
  }
}

/** What a context says about its tables. */
@Injectable()
export abstract class MergingPart implements OnModuleInit {
  abstract readonly merging: readonly MergedTable[];

  constructor(private readonly tables: MergedTables) {}

  onModuleInit(): void {
    this.tables.register(this.merging);
  }
}
