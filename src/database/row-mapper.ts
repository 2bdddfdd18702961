import type { EntityMetadata } from 'typeorm';

interface Column {
  property: string;
  name: string;
  isJson: boolean;
}

/** Translates between the properties of an entity and the columns of its table, for statements built from both. */
export class RowMapper {
  readonly table: string;
  /** `"column" AS "property"` of every column. */
  readonly selection: string;
  private readonly columns = new Map<string, Column>();

  constructor(metadata: EntityMetadata) {
    this.table = `"${metadata.tableName}"`;
    for (const column of metadata.columns) {
      const { propertyName: property, databaseName: name } = column;
      this.columns.set(property, { property, name, isJson: column.type === 'jsonb' || column.type === 'json' });
    }
    this.selection = [...this.columns.values()].map(({ name, property }) => `"${name}" AS "${property}"`).join(', ');
  }

  has(property: string): boolean {
    return this.columns.has(property);
  }

  column(property: string): string {
    return `"${this.get(property).name}"`;
  }

  /** A value as the driver wants it: JSON columns as text, since an array would become a PostgreSQL array. */
  value(property: string, value: unknown): unknown {
    return this.get(property).isJson && value !== null && value !== undefined ? JSON.stringify(value) : value;
  }

  private get(property: string): Column {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.table} has no property ${property}.`);
    return column;
  }
}
