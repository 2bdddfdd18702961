import type { EntityClass } from './columns.js';

/** A value that stands in a description, and in the statement as a literal. */
export type Scalar = string | number | boolean | null;

/** Rows that stand beside the one a form is over, at most one of them. */
export interface Beside {
  readonly entity: EntityClass;
  /** How the statement calls them. */
  readonly alias: string;
  readonly by: readonly Pair[];
}

/** A column of the rows that are looked for, and those of the row at hand that it may be equal to. */
export interface Pair {
  readonly column: string;
  readonly of: readonly string[];
}

/** A column of the row at hand, or of one beside it. */
export interface Place {
  readonly column: string;
  readonly beside: Beside | null;
}

/** Other rows that belong to the one at hand, of the same environment. */
export interface Related {
  readonly entity: EntityClass;
  readonly by: readonly Pair[];
  readonly where: Form | null;
}

export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** How a value is made of a row: names and literals alone, which `compose.ts` makes a statement of. */
export type Form =
  | { readonly kind: 'column'; readonly place: Place }
  | { readonly kind: 'constant'; readonly value: Scalar }
  /** Null where the column has the value. */
  | { readonly kind: 'unless'; readonly place: Place; readonly value: Scalar }
  /** A time to the millisecond, in UTC. */
  | { readonly kind: 'moment'; readonly place: Place }
  | { readonly kind: 'isSet'; readonly place: Place; readonly set: boolean }
  | { readonly kind: 'isOneOf'; readonly place: Place; readonly values: readonly Scalar[] }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Form[] }
  | { readonly kind: 'when'; readonly condition: Form; readonly then: Form }
  /** @param sparse without what is null, and null where nothing is left */
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Form>>; readonly sparse: boolean }
  | { readonly kind: 'has'; readonly rows: Related }
  | { readonly kind: 'one'; readonly rows: Related; readonly then: Form }
  | ListForm;

/** Null when there are none. */
export interface ListForm {
  readonly kind: 'list';
  readonly rows: Related;
  readonly order: readonly Order[];
  /** More than these are not read. */
  readonly most: number | null;
  readonly then: Form;
}
