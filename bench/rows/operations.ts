import type { LoadRequest } from '../load/load-job.js';
import { newUserBody } from '../plant/users.js';
import type { PlantedCode, Tenant } from '../plant/tenant.js';
import type { RowName } from '../report/goals.js';

/** The data that requests are built from. */
export interface Ground {
  readonly tenant: Tenant;
  readonly userIds: readonly string[];
  /** Tokens of live sessions. */
  readonly sessionTokens: readonly string[];
}

export interface Operation {
  readonly row: RowName;
  readonly status: number;
  readonly repeat: boolean;
  readonly requests: (ground: Ground, side: 'service' | 'bare') => LoadRequest[];
}

const JSON_BODY = { 'content-type': 'application/json' };
const sdk = ({ tenant }: Ground): string => `/api/v0/sdk/${tenant.environmentId}`;
const users = ({ tenant }: Ground): string => `/api/v0/environments/${tenant.environmentId}/users`;
const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
const get = (path: string, headers: Record<string, string> = {}): LoadRequest => ({ method: 'GET', path, headers });

export const signInRequest = (environmentId: string, code: PlantedCode): LoadRequest => ({
  method: 'POST',
  path: `/api/v0/sdk/${environmentId}/emailVerifications/signin`,
  headers: JSON_BODY,
  body: JSON.stringify(code),
});

/** The operations that both the service and the bare server offer, in table order. */
export const OPERATIONS: readonly Operation[] = [
  { row: 'health', status: 200, repeat: true, requests: (ground) => [get(`${sdk(ground)}/healthcheck`)] },
  { row: 'JWKS', status: 200, repeat: true, requests: (ground) => [get(`${sdk(ground)}/.well-known/jwks`)] },
  {
    ...{ row: 'session check', status: 204, repeat: true },
    requests: (ground) => ground.sessionTokens.map((token) => get(`${sdk(ground)}/session`, bearer(token))),
  },
  {
    ...{ row: 'get user', status: 200, repeat: true },
    requests: (ground) => ground.userIds.map((id) => get(`${users(ground)}/${id}`, bearer(ground.tenant.token))),
  },
  {
    ...{ row: 'list of 50 users', status: 200, repeat: true },
    requests: (ground) => [get(`${users(ground)}?limit=50`, bearer(ground.tenant.token))],
  },
  {
    ...{ row: 'create user', status: 201, repeat: true },
    requests: (ground) => [
      {
        method: 'POST',
        path: users(ground),
        headers: { ...bearer(ground.tenant.token), ...JSON_BODY },
        body: newUserBody('{unique}@bench.example'),
      },
    ],
  },
  {
    ...{ row: 'sign-in to token', status: 200, repeat: false },
    requests: ({ tenant }, side) =>
      (side === 'service' ? tenant.codes : tenant.bareCodes).map((code) => signInRequest(tenant.environmentId, code)),
  },
];

/** An embedded wallet with a new seed on two chains, for a user without one. */
export const walletRequest = ({ environmentId, token }: Tenant, email: string): LoadRequest => ({
  method: 'POST',
  path: `/api/v0/environments/${environmentId}/embeddedWallets`,
  headers: { ...bearer(token), ...JSON_BODY },
  body: JSON.stringify({ identifier: email, type: 'email', chains: ['EVM', 'SOL'] }),
});
