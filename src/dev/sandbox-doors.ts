import type { INestApplicationContext } from '@nestjs/common';
import { OutboundHttp } from '../outbound/index.js';
import { ProviderAddresses } from '../providers/index.js';
import { DEVELOPMENT_CLIENT, IDENTITY_PATH } from './identity/development-identity.js';
import type { Quickstart } from './quickstart.js';

/** What the API answers for an origin that is there. */
const THERE_ALREADY = 422;

/** Where the provider of identities is, for every provider whose client is the one of development. */
export function placeIdentity(app: INestApplicationContext, base: string): void {
  const home = `${base}/${IDENTITY_PATH}`;
  const addresses = { authorize: `${home}/authorize`, token: `${home}/token`, profile: `${home}/user`, api: home };
  app.get(ProviderAddresses).place(DEVELOPMENT_CLIENT, addresses);
}

/** Has the sandbox offer what /dev/app tries, by the operations that a team would call. */
export async function openSandboxDoors(app: INestApplicationContext, quickstart: Quickstart): Promise<void> {
  const { id } = quickstart.environments.sandbox;
  const provider = { provider: 'github', clientId: DEVELOPMENT_CLIENT, clientSecret: DEVELOPMENT_CLIENT };
  const made = await call(app, quickstart, 'POST', `/environments/${id}/settings/providers`, provider);
  await call(app, quickstart, 'PUT', `/settings/providers/${(made as { id: string }).id}/enable`);
}

/** Pages of this service are a site of the sandbox, at whichever port they are. */
export async function admitOwnPages(app: INestApplicationContext, quickstart: Quickstart, base: string): Promise<void> {
  const path = `/environments/${quickstart.environments.sandbox.id}/origins`;
  await call(app, quickstart, 'POST', path, { origin: new URL(base).origin });
}

async function call(
  app: INestApplicationContext,
  { api, environments }: Quickstart,
  method: 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${environments.sandbox.apiToken}`, 'content-type': 'application/json' };
  const request = { method, url: api + path, headers, ...(body && { body: JSON.stringify(body) }) };
  const { status, body: answer } = await app.get(OutboundHttp).send(request);
  if (status >= 300 && status !== THERE_ALREADY) {
    throw new Error(`The sandbox could not be set up: ${method} ${path} was answered ${status}.`);
  }
  return JSON.parse(answer.toString('utf8')) as unknown;
}
