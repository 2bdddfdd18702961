import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../common/own-files.js';

export interface QuickstartEnvironment {
  id: string;
  /** Holds every scope of its environment. */
  apiToken: string;
}

/** Addresses, ids and credentials after the first start, for people, scripts and tests. */
export interface Quickstart {
  api: string;
  docs: string;
  openapi: string;
  inbox: string;
  catcher: string;
  organizationId: string;
  projectId: string;
  consoleEnvironmentId: string;
  environments: { sandbox: QuickstartEnvironment; live: QuickstartEnvironment };
  /** The owner of the organization, with a personal token. */
  dashboard: { email: string; userToken: string };
}

export const QUICKSTART_FILE = 'quickstart.json';
const OWNER_ONLY = 0o600;

/** Writes `quickstart.json` into DATA_DIR atomically, readable only by its owner. */
export function writeQuickstart(dataDir: string, quickstart: Quickstart): void {
  makeFolder(dataDir);
  const path = join(dataDir, QUICKSTART_FILE);
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(quickstart, null, 2)}\n`, { mode: OWNER_ONLY });
  // A file left by a killed process would keep its mode.
  chmodSync(unfinished, OWNER_ONLY);
  renameSync(unfinished, path);
}

/** Null if there is no file yet, or it is not a valid quick start. */
export function readQuickstart(dataDir: string): Quickstart | null {
  try {
    const value = JSON.parse(readFileSync(join(dataDir, QUICKSTART_FILE), 'utf8')) as Quickstart | null;
    return typeof value?.environments?.sandbox?.apiToken === 'string' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export const removeQuickstart = (dataDir: string): void => rmSync(join(dataDir, QUICKSTART_FILE), { force: true });

/** The block printed at start: plain aligned lines without colour. */
export function printQuickstart(quickstart: Quickstart): string {
  const { environments, dashboard } = quickstart;
  const sections: [string, string][][] = [
    [
      ['API', quickstart.api],
      ['Docs', quickstart.docs],
      ['OpenAPI', quickstart.openapi],
      ['Dev inbox', quickstart.inbox],
      ['Webhook catcher', quickstart.catcher],
    ],
    [
      ['Organization', quickstart.organizationId],
      ['Project', quickstart.projectId],
      ['Console', quickstart.consoleEnvironmentId],
    ],
    [
      ['Sandbox', environments.sandbox.id],
      ['  API token', environments.sandbox.apiToken],
      ['Live', environments.live.id],
      ['  API token', environments.live.apiToken],
    ],
    [
      ['Dashboard user', dashboard.email],
      ['  user token', dashboard.userToken],
    ],
  ];
  const width = Math.max(...sections.flat().map(([label]) => label.length));
  const blocks = sections.map((rows) => rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n'));
  return ['', 'Gatehouse is ready.', '', blocks.join('\n\n'), ''].join('\n');
}
