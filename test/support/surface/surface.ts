import type { RecordIds } from './records.js';
import type { Tenant } from './tenant.js';
import type { Verdict } from './verdict.js';

export interface RequestParts {
  body?: unknown;
  /** Without the question mark. */
  query?: string;
  /** Header fields needed besides the credential. */
  headers?: Record<string, string>;
}

type Made<T> = (tenant: Tenant) => T | Promise<T>;

/** A kind of record named in paths. */
export interface RecordSurface {
  /**
   * Creates another record; one of a person belongs to `userId`. For a record it depends on, use `tenant.idOf(name)`.
   */
  make(tenant: Tenant, userId: string): Promise<string>;
  /** Belongs to a person and not to a tenant, so each caller gets its own. */
  ofPerson?: true;
}

/** What the document does not say about an operation. Everything is optional. */
export interface OperationSurface {
  /**
   * A request that succeeds, also when repeated, for whoever holds the token; by default from the document's examples.
   */
  request?: (tenant: Tenant, token: string | null) => RequestParts | Promise<RequestParts>;
  /** Records with something for the call to do, if there is nothing to do with those of the tenant. */
  fittingRecords?: Made<RecordIds>;
  /** Record kinds by path parameter, where the parameter has a different name. */
  paths?: Readonly<Record<string, string>>;
  /** Kinds of things by path parameter, where this operation differs from the rest. */
  kinds?: Readonly<Record<string, string>>;
  /** A success uses up the record. Always so for `DELETE`. */
  usesUp?: true;
  /** Expected results for callers of `callers.ts` that it treats differently, by the caller's name. */
  callers?: Readonly<Record<string, Verdict>>;
  /** Why it publishes no event, although it changes something or appears to. */
  untold?: string;
  /** Documented events that its usual call does not publish, with their occasion. */
  toldSometimes?: Readonly<Record<string, string>>;
  /** Why it leaves no audit record, although it is a dashboard operation that changes something. */
  unrecorded?: string;
  /**
   * Places (`field: `) with rules that only descriptions state, since no schema can: fields that require each other.
   */
  rulesBeyondTheSchema?: RegExp;
  /** Mistakes that are accepted, by name: what it allows although the schema is stricter. */
  takenAnyway?: RegExp;
  /** Called before every allowed value is tried; returns a function that restores things. */
  restoring?: (tenant: Tenant) => Promise<() => Promise<unknown>>;
}

/** An operator's command; an undeclared one takes no options and publishes something. */
export interface CommandSurface {
  options?: Made<string[]>;
  untold?: string;
  /** Calls other programs; test/e2e/cli-events shows that it leaves no event. */
  reachesOut?: true;
}

/** A context's declarations for the suites generated from the document. */
export interface Surface {
  records?: Readonly<Record<string, RecordSurface>>;
  /** Path parameters that name not a record but a kind of thing that every tenant has, with an example. */
  kinds?: Readonly<Record<string, string>>;
  operations?: Readonly<Record<string, OperationSurface>>;
  /** What jobs publish, and operations in less usual calls. */
  scenarios?: Readonly<Record<string, (tenant: Tenant) => Promise<unknown>>>;
  commands?: Readonly<Record<string, CommandSurface>>;
  /** Tables without a path to a user and without rows about a person, and why. */
  impersonal?: Readonly<Record<string, string>>;
}

export type WholeSurface = Required<Surface>;

/** Joins parts. @throws Error if two of them declare the same thing */
export function joinSurfaces(parts: readonly Surface[]): WholeSurface {
  const whole: WholeSurface = { records: {}, kinds: {}, operations: {}, scenarios: {}, commands: {}, impersonal: {} };
  for (const part of parts) {
    for (const kind of Object.keys(whole) as (keyof Surface)[]) {
      const twice = Object.keys(part[kind] ?? {}).filter((name) => Object.hasOwn(whole[kind], name));
      if (twice.length > 0) throw new Error(`declared twice among ${kind}: ${twice.join(', ')}`);
      Object.assign(whole[kind], part[kind]);
    }
  }
  return whole;
}
