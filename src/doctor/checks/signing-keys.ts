import { fail, ok, warn, type Finding } from '../finding.js';

export interface SigningKeysInput {
  running: boolean;
  /** The keys published for the console; null if there is no console yet, a reason if they cannot be read. */
  read: () => Promise<readonly unknown[] | string | null>;
}

/** Without published keys nobody can verify a token of this service. */
export async function checkSigningKeys({ running, read }: SigningKeysInput): Promise<Finding> {
  if (!running) return warn('not checked: the service is not running', 'npm start');
  const keys = await read();
  if (keys === null) return warn('there is no console yet', 'npm run cli -- organizations create');
  if (typeof keys === 'string') return fail(`cannot be read (${keys})`, 'see the log of the service');
  return keys.length > 0
    ? ok(`${keys.length} published for the console`)
    : fail('none is published for the console', 'npm run cli -- signing-keys rotate --environment <console id>');
}
