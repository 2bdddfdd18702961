import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../programs.js';

/** Debian installs it in a folder that is not on every user's PATH. */
export function findNginx(): string | null {
  return findProgram('nginx') ?? (existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : null);
}

export interface NginxFolder {
  readonly path: string;
  readonly config: string;
  remove(): void;
}

/**
 * The shipped configuration adapted to one machine: instances on ports of 127.0.0.1, all files below a separate folder.
 * Request handling is unchanged.
 */
export function localNginx(text: string, listen: number, instances: readonly number[]): NginxFolder {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'));
  const config = join(path, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${path};`);
  let next = 0;
  const local = text
    .replace('listen 8080;', `listen 127.0.0.1:${listen};`)
    .replaceAll(/server [\w.-]+:3000/g, () => `server 127.0.0.1:${instances[next++]}`)
    .replaceAll(/\/dev\/std(?:err|out)/g, join(path, 'log'))
    .replace('/run/nginx.pid', join(path, 'pid'))
    .replace('http {', `http {\n${temporary.join('\n')}`);
  writeFileSync(config, local);
  return { path, config, remove: () => rmSync(path, { recursive: true, force: true }) };
}
