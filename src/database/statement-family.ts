import type { Statement } from './statement.js';

/** Statements that depend on what contexts have registered: made at the first use, once for each selection. */
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
