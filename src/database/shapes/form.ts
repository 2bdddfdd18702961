import type { EntityClass } from './columns.js';

/** A value in a description, a literal in the statement. */
export type Scalar = string | number | boolean | null;

/** Rows joined to the row of a form, at most one each. */
export interface Beside {
  readonly entity: EntityClass;
  /** Their alias in the statement. */
  readonly alias: string;
  readonly by: readonly Pair[];
}

/** A column of the related rows, and the columns of the current row that it may equal. */
export interface Pair {
  readonly column: string;
  readonly of: readonly string[];
}

/** A column of the current row or of a joined one. */
export interface Place {
  readonly column: string;
  readonly beside: Beside | null;
}

/** Other rows related to the current one, of the same environment. */
export interface Related {
  readonly entity: EntityClass;
  readonly by: readonly Pair[];
  readonly where: Form | null;
}

export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** How a value is derived from a row: names and literals only, from which `compose.ts` builds a statement. */
export type Form =
  | { readonly kind: 'column'; readonly place: Place }
  | { readonly kind: 'constant'; readonly value: Scalar }
  /** Null if the column equals the value. */
  | { readonly kind: 'unless'; readonly place: Place; readonly value: Scalar }
  /** A time to the millisecond, in UTC. */
  | { readonly kind: 'moment'; readonly place: Place }
  | { readonly kind: 'isSet'; readonly place: Place; readonly set: boolean }
  | { readonly kind: 'isOneOf'; readonly place: Place; readonly values: readonly Scalar[] }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Form[] }
  | { readonly kind: 'when'; readonly condition: Form; readonly then: Form }
  /** @param sparse omits null fields, and is null if none are left */
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Form>>; readonly sparse: boolean }
  | { readonly kind: 'has'; readonly rows: Related }
  | { readonly kind: 'one'; readonly rows: Related; readonly then: Form }
  | ListForm;

/** Null if there are none. */
export interface ListForm {
  readonly kind: 'list';
  readonly rows: Related;
  readonly order: readonly Order[];
  /** The maximum number of rows read. */
  readonly most: number | null;
  readonly then: Form;
}
