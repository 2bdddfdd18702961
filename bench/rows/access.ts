import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { plantAllowlist } from '../plant/allowlist.js';
import type { PlantedCode } from '../plant/tenant.js';
import { pairedRatio } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Program } from '../stack/program.js';
import { signInRequest, type Ground } from './operations.js';
import { race, rates, summary, type Round } from './race.js';
import { ask } from './same-shape.js';

interface Scene {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly service: { readonly origin: string; readonly pid: number };
  readonly ground: Ground;
  /** Codes that no other row redeems. */
  readonly codes: readonly PlantedCode[];
  readonly databaseUrl: string;
  /** How many users the codes go to. */
  readonly users: number;
}

const ENTRIES = 100_000;

/** Sign-in of people who are on a long list and have to be, in turns with the same while the list is disabled. */
export async function measureAllowlist(scene: Scene): Promise<Row> {
  const { ground, service, databaseUrl, users } = scene;
  const { environmentId } = ground.tenant;
  const body = { name: 'Early access', outcome: 'siteAccess' };
  const made = await change(scene, 'POST', `environments/${environmentId}/allowlists`, 201, body);
  const { id: allowlistId } = made as { id: string };
  await plantAllowlist(databaseUrl, { environmentId, allowlistId }, { users, entries: ENTRIES });
  const turn = (to: 'enable' | 'disable'): Promise<unknown> =>
    change(scene, 'PUT', `allowlists/${allowlistId}/${to}`, 200);
  const requests = scene.codes.map((code) => signInRequest(environmentId, code));
  const sides: Record<'enable' | 'disable', Round[]> = { enable: [], disable: [] };
  const contender = { origin: service.origin, pid: service.pid, requests };
  for (let round = 0; round < scene.course.rounds; round += 1) {
    for (const side of ['enable', 'disable'] as const) {
      await turn(side);
      const course = { ...scene.course, rounds: 1, label: 'allowlist', status: 200, repeat: false };
      sides[side].push(...(await race(scene.load, course, [contender])).flat());
    }
  }
  const { perSecond, p50, p99 } = summary(sides.enable);
  const without = summary(sides.disable);
  const note = `${ENTRIES} entries; without the list ${Math.round(without.perSecond)} a second`;
  const figure = pairedRatio(rates(sides.enable), rates(sides.disable));
  return { row: 'sign-in with an allowlist of 100 000', service: perSecond, p50, p99, figure, note };
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
