import type { EntityMetadata } from 'typeorm';

interface Column {
  property: string;
  name: string;
  type: string;
}

const JSON_TYPES = new Set(['json', 'jsonb']);

/** Maps between an entity's properties and its table's columns, for statements built from both. */
export class RowMapper {
  readonly table: string;
  /** The table's name as the prefix of statement names. */
  readonly aggregate: string;
  /** `"column" AS "property"` for every column. */
  readonly selection: string;
  private readonly columns = new Map<string, Column>();

  constructor(metadata: EntityMetadata) {
    this.table = `"${metadata.tableName}"`;
    this.aggregate = metadata.tableName.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    for (const column of metadata.columns) {
      const { propertyName: property, databaseName: name } = column;
      this.columns.set(property, { property, name, type: String(column.type) });
    }
    this.selection = [...this.columns.values()].map(({ name, property }) => `"${name}" AS "${property}"`).join(', ');
  }

  has(property: string): boolean {
    return this.columns.has(property);
  }

  column(property: string): string {
    return `"${this.get(property).name}"`;
  }

  /** The column's type as PostgreSQL names it. */
  type(property: string): string {
    return this.get(property).type;
  }

  /** A value as the driver expects it: JSON columns as text, since an array would become a PostgreSQL array. */
  value(property: string, value: unknown): unknown {
    return JSON_TYPES.has(this.get(property).type) && value !== null && value !== undefined
      ? JSON.stringify(value)
      : value;
  }

  private get(property: string): Column {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.table} has no property ${property}.`);
    return column;
  }
}
