import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem';
import { Anvil } from '../../test/support/anvil.js';
import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { plantWallets, readFrom } from '../plant/gates.js';
import type { PlantedCode, Tenant } from '../plant/tenant.js';
import type { Row } from '../report/table.js';
import type { Cleanup } from '../stack/cleanup.js';
import type { Program } from '../stack/program.js';
import { startService, type ServiceSettings } from '../stack/service.js';
import { measureInTurns, type Side } from './in-turns.js';
import { signInRequest } from './operations.js';
import { ask } from './same-shape.js';

interface Scene {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly few: ServiceSettings;
  readonly tenant: Tenant;
  readonly cleanup: Cleanup;
  /** Codes not used by other rows, of users who take turns. */
  readonly codes: PlantedCode[];
  /** The number of users with codes. */
  readonly users: number;
}

const NETWORK = 1;
/** Belongs to nobody. */
const ADDRESS = `0x${'1'.repeat(40)}`;

/** Sign-in of users with one wallet each while three gates check its holdings, in turns with the same without gates. */
export async function measureGates({ load, course, few, tenant, cleanup, codes, users }: Scene): Promise<Row> {
  const { environmentId, token } = tenant;
  const chain = await (await Anvil.start(NETWORK)).withMulticall();
  cleanup.add({ stop: chain.close });
  const [coin, collectible] = [await chain.deploy('Erc20', [6]), await chain.deploy('Erc721')];
  await readFrom(few.databaseUrl, environmentId, NETWORK, chain.url);
  await plantWallets(few.databaseUrl, environmentId, users, () => getAddress(`0x${randomBytes(20).toString('hex')}`));
  const service = cleanup.add(await startService(few));
  const { origin } = service;

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (method: LoadRequest['method'], path: string, status: number, body?: object): Promise<unknown> =>
    ask(
      origin,
      {
        method,
        path: `/api/v0/environments/${environmentId}/${path}`,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      },
      status,
    );
  const gates: string[] = [];
  for (const [scope, rule] of Object.entries({
    coin: { type: 'token', address: { networkId: NETWORK, contractAddress: coin } },
    collectible: { type: 'nft', address: { networkId: NETWORK, contractAddress: collectible } },
    whale: { type: 'token', address: { networkId: NETWORK, contractAddress: coin }, filter: { amount: 1000 } },
  })) {
    const gate = { name: scope, outcome: 'scope', scope, rules: [{ chain: 'EVM', ...rule }] };
    gates.push(((await send('POST', 'gates', 201, gate)) as { id: string }).id);
  }
  const turn = async (to: Side): Promise<void> => {
    for (const id of gates) await send('PUT', `gates/${id}/${to}`, 200);
  };

  await turn('enable');
  for (const id of gates) assertReadable(await send('GET', `gates/${id}/trial?address=${ADDRESS}`, 200));
  const requests = codes.map((code) => signInRequest(environmentId, code));
  const { without, ...measured } = await measureInTurns({
    ...{ load, course, service, requests, people: users, label: 'gates', turn },
  });
  await service.stop();
  return { row: 'sign-in with three gates', ...measured, note: `without gates ${without} a second` };
}

/** @throws Error if the chain is not readable: each sign-in would retry, and the figure would be meaningless */
function assertReadable(trial: unknown): void {
  const { rules } = trial as { rules: { verdict: string }[] };
  if (rules.some(({ verdict }) => verdict === 'unreadable'))
    throw new Error(`No gate is decided: ${JSON.stringify(rules)}`);
}
