import type { RecordIds } from './records.js';
import type { Tenant } from './tenant.js';
import type { Verdict } from './verdict.js';

export interface RequestParts {
  body?: unknown;
  /** Without the question mark. */
  query?: string;
  /** Header fields that the call needs beside its credential. */
  headers?: Record<string, string>;
}

type Made<T> = (tenant: Tenant) => T | Promise<T>;

/** A kind of record that paths can name. */
export interface RecordSurface {
  /** Makes another; one of a person belongs to `userId`. One that needs another asks for `tenant.idOf(name)`. */
  make(tenant: Tenant, userId: string): Promise<string>;
  /** Belongs to a person and to no tenant, so that each caller is given one of its own. */
  ofPerson?: true;
}

/** What the document does not say of an operation. All of it may be left out. */
export interface OperationSurface {
  /** A request that succeeds, and succeeds again when made again, by whoever holds the token; without it, what the document's examples give. */
  request?: (tenant: Tenant, token: string | null) => RequestParts | Promise<RequestParts>;
  /** Records the call finds something to do on, where it finds nothing on those of the tenant. */
  fittingRecords?: Made<RecordIds>;
  /** Records by path parameter, where the parameter is not called like its record. */
  paths?: Readonly<Record<string, string>>;
  /** Kinds of things by path parameter, where this operation takes another one than the rest. */
  kinds?: Readonly<Record<string, string>>;
  /** After a success there is nothing left to call it on. `DELETE` always is like that. */
  usesUp?: true;
  /** What it answers to a caller of `callers.ts` that it treats in a way of its own, by the caller's name. */
  callers?: Readonly<Record<string, Verdict>>;
  /** Why it publishes no event, though it changes something or looks as if it did. */
  untold?: string;
  /** Events that it documents and that its usual call does not publish, with when it does. */
  toldSometimes?: Readonly<Record<string, string>>;
  /** Why it leaves no audit record, though it is of the dashboard and changes something. */
  unrecorded?: string;
  /** Places (`field: `) with rules that descriptions state and no schema can: fields that ask for each other. */
  rulesBeyondTheSchema?: RegExp;
  /** Mistakes that are taken, by name: what it allows although the schema demands more. */
  takenAnyway?: RegExp;
  /** Called before it is given every allowed value; what it answers puts things back afterwards. */
  restoring?: (tenant: Tenant) => Promise<() => Promise<unknown>>;
}

/** A command of the operator; one that is not declared takes no options and publishes something. */
export interface CommandSurface {
  options?: Made<string[]>;
  untold?: string;
  /** Talks to programs of its own; test/e2e/cli-events shows that it leaves no event. */
  reachesOut?: true;
}

/** What a context declares for the suites that are generated from the document. */
export interface Surface {
  records?: Readonly<Record<string, RecordSurface>>;
  /** Path parameters that name no record but a kind of thing that every tenant has, with one of them. */
  kinds?: Readonly<Record<string, string>>;
  operations?: Readonly<Record<string, OperationSurface>>;
  /** What jobs publish, and operations when they are not called as everybody calls them. */
  scenarios?: Readonly<Record<string, (tenant: Tenant) => Promise<unknown>>>;
  commands?: Readonly<Record<string, CommandSurface>>;
  /** Tables that lead to no user and of which no row is about a person, and why. */
  impersonal?: Readonly<Record<string, string>>;
}

export type WholeSurface = Required<Surface>;

/** Puts parts together. @throws Error when two of them declare the same thing */
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
