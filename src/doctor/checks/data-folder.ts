import { fail, ok, warn, type Finding } from '../finding.js';

export interface DataFolder {
  path: string;
  /** Permission bits of the folder and of its secret files that exist, by path; null when there is no folder. */
  modes: ReadonlyMap<string, number> | null;
}

const OTHERS = 0o077;

/** Secrets on disk are for the account of the service alone. */
export function checkDataFolder({ path, modes }: DataFolder): Finding {
  if (modes === null) return warn(`${path} is not there yet`, 'npm start makes it');
  const open = [...modes].filter(([, mode]) => (mode & OTHERS) !== 0);
  if (open.length === 0) return ok(path);
  return fail(
    `others may read ${open.map(([name, mode]) => `${name} (${mode.toString(8)})`).join(', ')}`,
    `chmod go= ${open.map(([name]) => name).join(' ')}`,
  );
}
