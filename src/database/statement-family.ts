import type { Statement } from './statement.js';

/** Statements that depend on registrations by contexts: built on first use, once per selection. */
export function statementFamily(
  family: string,
  make: (name: string, selection: string) => Statement,
): (selection: string) => Statement {
  const made = new Map<string, Statement>();
  return (selection) => {
    let statement = made.get(selection);
    if (!statement) made.set(selection, (statement = make(`${family}${made.size}`, selection)));
    return statement;
  };
}
