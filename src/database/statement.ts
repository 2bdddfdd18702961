declare const made: unique symbol;

/** A named SQL statement. PostgreSQL prepares it once per connection under its name. Made by this file alone. */
export interface Statement {
  readonly [made]: true;
  readonly name: string;
  readonly text: string;
}

const names = new Set<string>();

function named(name: string, text: string): Statement {
  if (names.has(name)) throw new Error(`The statement ${name} is defined twice.`);
  names.add(name);
  return generatedStatement(name, text.replace(/\s+/g, ' ').trim());
}

/** For the repositories of this folder, whose text is built from entities and always bound to the scope. */
export const generatedStatement = (name: string, text: string): Statement => Object.freeze({ name, text }) as Statement;

const SCOPE_FIRST =
  /\b(environment_id|organization_id)\s*=\s*\$1\b|\((environment_id|organization_id),[^)]*\)\s*(VALUES\s*\(|SELECT\s+)\$1\b/;

/**
 * A statement on the rows of one tenant. Its first parameter is the scope, and it must say so: text that does not bind
 * `environment_id` or `organization_id` to `$1` is refused when the module loads.
 */
export function scopedStatement(name: string, text: string): Statement {
  const statement = named(name, text);
  if (!SCOPE_FIRST.test(statement.text)) throw new Error(`The statement ${name} does not bind its scope to $1.`);
  return statement;
}

/**
 * A statement across tenants, such as finding whom a token belongs to. The reason is read by reviewers and by a test.
 */
export const asSystem = (
  reason: string,
): {
  statement(name: string, text: string): Statement;
  /** Text that becomes a part of other statements, which bind the scope or say themselves why they do not. */
  part(text: string): string;
} => {
  if (reason.length < 10) throw new Error('An unscoped statement needs a reason.');
  return { statement: named, part: (text) => text };
};

const CHANGES = /\b(insert|update|delete|merge|share|nextval|set_config|pg_\w+)\b/i;
const judged = new WeakMap<Statement, boolean>();

/** Whether a statement changes and locks nothing, so that it may be sent again when its answer is lost. */
export function onlyReads(statement: Statement): boolean {
  let reads = judged.get(statement);
  if (reads === undefined) judged.set(statement, (reads = !CHANGES.test(statement.text)));
  return reads;
}
