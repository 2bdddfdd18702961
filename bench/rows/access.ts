import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { plantAllowlist } from '../plant/allowlist.js';
import type { PlantedCode } from '../plant/tenant.js';
import type { Row } from '../report/table.js';
import type { Program } from '../stack/program.js';
import { measureInTurns } from './in-turns.js';
import { signInRequest, type Ground } from './operations.js';
import { ask } from './same-shape.js';

interface Scene {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly service: { readonly origin: string; readonly pid: number };
  readonly ground: Ground;
  /** Codes not used by other rows. */
  readonly codes: readonly PlantedCode[];
  readonly databaseUrl: string;
  /** The number of users with codes. */
  readonly users: number;
}

const ENTRIES = 100_000;

/** Sign-in with a long mandatory allowlist, in turns with the same while the list is disabled. */
export async function measureAllowlist(scene: Scene): Promise<Row> {
  const { load, course, ground, service, codes, databaseUrl, users } = scene;
  const { environmentId } = ground.tenant;
  const body = { name: 'Early access', outcome: 'siteAccess' };
  const made = await change(scene, 'POST', `environments/${environmentId}/allowlists`, 201, body);
  const { id: allowlistId } = made as { id: string };
  await plantAllowlist(databaseUrl, { environmentId, allowlistId }, { users, entries: ENTRIES });
  const { without, ...measured } = await measureInTurns({
    ...{ load, course, service, people: users, label: 'allowlist' },
    requests: codes.map((code) => signInRequest(environmentId, code)),
    turn: async (to) => {
      await change(scene, 'PUT', `allowlists/${allowlistId}/${to}`, 200);
    },
  });
  const note = `${ENTRIES} entries; without the list ${without} a second`;
  return { row: 'sign-in with an allowlist of 100 000', ...measured, note };
}

function change(
  { service, ground }: Scene,
  method: LoadRequest['method'],
  path: string,
  status: number,
  body?: object,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${ground.tenant.token}`, 'content-type': 'application/json' };
  const request = { method, path: `/api/v0/${path}`, headers };
  return ask(service.origin, { ...request, ...(body && { body: JSON.stringify(body) }) }, status);
}
