import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../programs.js';

/** Debian installs it in a folder that is not on every user's PATH. */
export function findHaproxy(): string | null {
  return findProgram('haproxy') ?? (existsSync('/usr/sbin/haproxy') ? '/usr/sbin/haproxy' : null);
}

export interface HaproxyFile {
  readonly path: string;
  remove(): void;
}

/** The shipped configuration adapted to one machine: instances on ports of 127.0.0.1, everything else unchanged. */
export function localHaproxy(text: string, listen: number, instances: readonly number[]): HaproxyFile {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-haproxy-'));
  const path = join(folder, 'haproxy.cfg');
  let next = 0;
  const local = text
    .replace('bind :8080', `bind 127.0.0.1:${listen}`)
    .replaceAll(/(server [\w-]+ )[\d.]+:3000/g, (_, name: string) => `${name}127.0.0.1:${instances[next++]}`);
  writeFileSync(path, local);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
