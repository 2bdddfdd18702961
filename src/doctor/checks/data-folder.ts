import { fail, ok, warn, type Finding } from '../finding.js';

export interface DataFolder {
  path: string;
  /** Permission bits of the existing secret files, by path; null if there is no folder. */
  modes: ReadonlyMap<string, number> | null;
  /** Whether the secrets and the database are elsewhere, so that no start creates the folder. */
  isProduction: boolean;
}

const OTHERS = 0o077;

/** Secrets on disk must be readable by the service's account only. */
export function checkDataFolder({ path, modes, isProduction }: DataFolder): Finding {
  if (modes === null && isProduction) return ok(`${path} does not exist, and production keeps no secrets there`);
  if (modes === null) return warn(`${path} does not exist yet`, 'npm start creates it');
  const open = [...modes].filter(([, mode]) => (mode & OTHERS) !== 0);
  if (open.length === 0) return ok(path);
  return fail(
    `other users may access ${open.map(([name, mode]) => `${name} (${mode.toString(8)})`).join(', ')}`,
    `chmod go= ${open.map(([name]) => name).join(' ')}`,
  );
}
