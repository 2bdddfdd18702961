import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentEntity } from '../base.entities.js';
import { columnOf, tableOf, type Column, type EntityClass } from '../shapes/columns.js';

/** What can happen to the rows of a user who is merged into another. */
export const MERGE_FATES = {
  moved: 'become the remaining user’s, and the other’s again when the merge is undone',
  kept: 'go, and are back when the merge is undone',
  ended: 'go for good',
  refused: 'keep their user from being merged away',
  settled: 'have a rule of their own',
} as const;
export type MergeFate = keyof typeof MERGE_FATES;

/** A table whose rows refer to users, and what a merge does with those of the user merged away. */
export interface MergedTable {
  readonly table: string;
  /** The column that names the row's user. */
  readonly subject: string;
  readonly fate: MergeFate;
  /** A description of the rows, for people. */
  readonly what: string;
  readonly why: string;
  /** Columns that are unique per user. If both users have a value, the remaining user's row stays. */
  readonly once: readonly string[];
}

/** The same, by the properties of an entity. */
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

/** Contexts register here at start what a user merge does with their tables. A test finds unregistered tables. */
@Injectable()
export class MergedTables {
  private readonly tables = new Map<string, MergedTable>();

  register(tables: readonly MergedTable[]): void {
    for (const one of tables) {
      if (this.tables.has(one.table)) throw new Error(`What a merge does with ${one.table} is said twice.`);
      this.tables.set(one.table, one);
    }
  }

  /** In the fixed order in which every merge visits them. */
  get all(): MergedTable[] {
    return [...this.tables.values()].toSorted((one, other) => (one.table < other.table ? -1 : 1));
  }

  of(...fates: readonly MergeFate[]): MergedTable[] {
    return this.all.filter(({ fate }) => fates.includes(fate));
  }
}

/** A context's declarations about its tables. */
@Injectable()
export abstract class MergingPart implements OnModuleInit {
  abstract readonly merging: readonly MergedTable[];

  constructor(private readonly tables: MergedTables) {}

  onModuleInit(): void {
    this.tables.register(this.merging);
  }
}
