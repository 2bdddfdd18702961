import { generateKeyPairSync } from 'node:crypto';
import type { BareProvider } from '../bare/setup.js';
import { SITE, type Door, type Place } from '../doors/door.js';
import type { ProviderSetup } from '../doors/identity-provider.js';
import { OAUTH_PROVIDER, OauthDoor } from '../doors/oauth-door.js';
import { PasskeyDoor } from '../doors/passkey-door.js';
import { WalletDoor } from '../doors/wallet-door.js';
import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import type { Tenant } from '../plant/tenant.js';
import { settle, someUserIds } from '../plant/users.js';
import type { RowName } from '../report/goals.js';
import { pairedRatio } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import { startBare } from '../stack/bare.js';
import type { Cleanup } from '../stack/cleanup.js';
import { Program } from '../stack/program.js';
import { PUBLIC_URL, startService, type ServiceSettings } from '../stack/service.js';
import { race, rates, summary, type Course } from './race.js';
import { ask, differences } from './same-shape.js';

interface Scene {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly few: ServiceSettings;
  readonly tenant: Tenant;
  readonly cleanup: Cleanup;
  /** The number of users. */
  readonly people: number;
}

interface Server {
  readonly origin: string;
  readonly pid: number;
}

export const DOORS = ['sign-in with a wallet', 'sign-in with a passkey', 'sign-in with an OAuth code'] as const;
/** Extra rounds: the warm-up and the requests before it. */
const SPARE = 2;
const CLIENT = { clientId: 'client', clientSecret: 'secret of the client' };

/** Sign-in methods other than email codes, in turns with the bare server that verifies the same. */
export async function measureDoors(
  scene: Scene,
  wanted: (row: RowName) => boolean,
  log: (line: string) => void,
): Promise<Row[]> {
  const { few, tenant, cleanup, people, course } = scene;
  const { databaseUrl } = few;
  const { environmentId } = tenant;
  const provider = await startProvider(cleanup, environmentId);
  const env = { PROVIDER_ADDRESSES: JSON.stringify({ [OAUTH_PROVIDER]: { issuer: provider.issuer } }) };
  const service = cleanup.add(await startService({ ...few, env }));
  const bare = cleanup.add(await startBare(databaseUrl, tenant, provider));
  await furnish(service.origin, tenant);
  const place = { databaseUrl, environmentId };
  const userIds = await someUserIds(databaseUrl, environmentId, people);
  const doors: Door[] = [new WalletDoor(people), new PasskeyDoor(userIds), new OauthDoor(people)];
  const rows: Row[] = [];
  for (const door of doors.filter(({ row }) => wanted(row))) {
    if (door.opensAccounts) await openAccounts(scene, service, await door.begun(place, people));
    const begun = await plenty(door, place, course);
    await settle(databaseUrl);
    rows.push(
      await measureDoor(scene, door.row, [
        { ...pick(service), requests: begun.service },
        { ...pick(bare), requests: begun.bare },
      ]),
    );
    log(`${door.row}: ${rows.at(-1)?.figure.toFixed(2)}`);
  }
  await bare.stop();
  await service.stop();
  return rows;
}

async function plenty(
  door: Door,
  place: Place,
  { rounds, roundMs }: Scene['course'],
): Promise<Record<'service' | 'bare', LoadRequest[]>> {
  const count = Math.ceil((rounds + SPARE) * roundMs * door.begunPerMs);
  return { service: await door.begun(place, count), bare: await door.begun(place, count) };
}

async function measureDoor(
  { load, course }: Scene,
  row: RowName,
  contenders: readonly [Server & { requests: LoadRequest[] }, Server & { requests: LoadRequest[] }],
): Promise<Row> {
  const [mine, yardstick] = await Promise.all(
    contenders.map(({ origin, requests }) => ask(origin, requests.shift()!, 200)),
  );
  const full: Course = { ...course, label: row.replaceAll(' ', '-'), status: 200, repeat: false };
  const [results = [], bareResults = []] = await race(load, full, contenders);
  const { perSecond, p50, p99, cpuPerAnswer } = summary(results);
  const yard = summary(bareResults);
  const cost = `${cpuPerAnswer.toFixed(3)} ms of processor an answer, bare ${yard.cpuPerAnswer.toFixed(3)}`;
  const note = [cost, differences(mine, yardstick)].filter(Boolean).join('; ');
  const figure = pairedRatio(rates(results), rates(bareResults));
  return { row, service: perSecond, bare: yard.perSecond, p50, p99, figure, note };
}

/** Starts a provider in a separate process, and returns what the bare server needs to know of it. */
async function startProvider(cleanup: Cleanup, environmentId: string): Promise<BareProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const program = cleanup.add(Program.start<ProviderSetup, { issuer: string }>('doors/identity-provider.ts'));
  const { issuer } = await program.ask({
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    jwk: publicKey.export({ format: 'jwk' }),
    clientId: CLIENT.clientId,
  });
  return {
    ...CLIENT,
    issuer,
    redirectUri: `${PUBLIC_URL}/api/v0/sdk/${environmentId}/providers/${OAUTH_PROVIDER}/redirect`,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** Configures the site, and the provider of the users' accounts. */
async function furnish(origin: string, { environmentId, token }: Tenant): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (method: 'POST' | 'PUT', path: string, status: number, body?: object): Promise<unknown> =>
    ask(origin, { method, path: `/api/v0/${path}`, headers, ...(body && { body: JSON.stringify(body) }) }, status);
  await send('POST', `environments/${environmentId}/origins`, 201, { origin: SITE });
  const providers = `environments/${environmentId}/settings/providers/type/${OAUTH_PROVIDER}`;
  const { id } = (await send('POST', providers, 201, CLIENT)) as { id: string };
  await send('PUT', `settings/providers/${id}/enable`, 200);
}

async function openAccounts({ load, people }: Scene, { origin }: Server, requests: LoadRequest[]): Promise<void> {
  const { answers, failures } = await load.ask({
    ...{ origin, requests, connections: 16, durationMs: 600_000, status: 200, repeat: false, label: 'accounts' },
  });
  if (answers !== people) throw new Error(`Of ${people} people ${answers} came in: ${JSON.stringify(failures)}`);
}

const pick = ({ origin, pid }: Server): Server => ({ origin, pid });
