import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { newEmail } from '../../world.js';
import type { OperationSurface, RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { SIGNED_OUT } from './identity.js';
import { shown } from './identity.networks.js';
import { signed } from './identity.wallets.js';

/** The user of a session token; null for other tokens. */
function holderOf(token: string | null): { userId: string; sessionId: string } | null {
  try {
    const { sub, sid } = decodeJwt<{ sid: string }>(token ?? '');
    return sub ? { userId: sub, sessionId: sid } : null;
  } catch {
    return null;
  }
}

/** One imported user. */
function userFile({ world }: Tenant): string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-users-')), 'users.csv');
  writeFileSync(file, `id,email\n1,${newEmail()}\n`);
  return [file, '--environment', world.environmentId];
}

/** Prepares a merge of a new user into the session's, as if a credential of the new one had just been proven in it. */
async function offer({ db, world }: Tenant, token: string | null): Promise<void> {
  const holder = holderOf(token);
  if (!holder) return;
  const { userId: other } = await world.signIn(newEmail());
  await db.query(
    `INSERT INTO pending_merges (environment_id, session_id, user_id, other_user_id, kind, identifier, expires_at)
     SELECT $1, $2, u.id, $4, c.kind, c.identifier, now() + interval '5 min'
     FROM users u JOIN identifier_claims c ON c.environment_id = u.environment_id AND c.user_id = $4 AND c.kind = 'email'
     WHERE u.environment_id = $1 AND u.id = $3
     ON CONFLICT (environment_id, session_id) DO UPDATE SET other_user_id = excluded.other_user_id,
       kind = excluded.kind, identifier = excluded.identifier, expires_at = excluded.expires_at`,
    [world.environmentId, holder.sessionId, holder.userId, other],
  );
}

/** Another proven address for the token's user. */
async function anotherAddress({ db, world }: Tenant, token: string | null): Promise<string> {
  const id = randomUUID();
  await db.query(
    `INSERT INTO credentials (environment_id, id, user_id, format, verified_at, email)
     SELECT $1, $2, id, 'email', now(), $4 FROM users WHERE environment_id = $1 AND id = $3`,
    [world.environmentId, id, holderOf(token)?.userId ?? randomUUID(), newEmail()],
  );
  return id;
}

/** A user adds a credential and removes it again. */
async function givenUp(
  tenant: Tenant,
  { format, path, request }: { format: string; path: string; request: (tenant: Tenant) => Promise<RequestParts> },
): Promise<void> {
  const { world } = tenant;
  const { jwt: token } = await world.signIn(newEmail());
  const { body: proof } = await request(tenant);
  const linked = await world.anonymous.post<{ user: { verifiedCredentials: { id: string; format: string }[] } }>(
    world.sdk(path),
    proof,
    { token, expect: 200 },
  );
  const credential = linked.body.user.verifiedCredentials.find((each) => each.format === format);
  const body = { verifiedCredentialId: credential!.id };
  await world.anonymous.post(world.sdk('/verify/unlink'), body, { token, expect: 200 });
}

const merge: OperationSurface = {
  request: async (tenant, token) => {
    await offer(tenant, token);
    return {};
  },
  usesUp: true,
};

/** A completed merge that can be undone. */
async function merged(tenant: Tenant): Promise<string[]> {
  const { world } = tenant;
  const { jwt, userId } = await world.signIn(newEmail());
  await offer(tenant, jwt);
  await world.anonymous.post(world.sdk('/users/merge'), undefined, { token: jwt, expect: 200 });
  return ['--environment', world.environmentId, '--user', userId];
}

/** Two users that API calls gave the same address. */
async function twoOfOneAddress({ world }: Tenant): Promise<string[]> {
  const email = newEmail();
  const ids: string[] = [];
  for (const spelling of [email, email.toUpperCase()]) {
    const body = { email: spelling };
    const made = await world.api.post<{ user: { id: string } }>(world.path('/users'), body, { expect: 201 });
    ids.push(made.body.user.id);
  }
  return ['--environment', world.environmentId, '--user', ids[0]!, '--from', ids[1]!, '--confirm'];
}

export const surface: Surface = {
  operations: {
    mergeUsers: merge,
    verifyMergeUsers: {
      ...merge,
      request: async (tenant, token) => {
        await offer(tenant, token);
        return { body: { mergeUserResolutions: [] } };
      },
    },
    verifyUnlink: {
      request: async (tenant, token) => ({ body: { verifiedCredentialId: await anotherAddress(tenant, token) } }),
      toldSometimes: {
        ...SIGNED_OUT,
        'wallet.unlinked': 'when it is an external wallet',
        'user.social.unlinked': 'when it is an account at a provider',
      },
    },
  },
  scenarios: {
    'a wallet that is given up': (tenant) =>
      givenUp(tenant, { format: 'blockchain', path: '/verify/link', request: signed }),
    'a social account that is given up': (tenant) =>
      givenUp(tenant, { format: 'oauth', path: '/telegram/verify', request: shown }),
  },
  commands: {
    'users unmerge': { options: merged },
    'users merge': { options: twoOfOneAddress },
    'users export': {
      options: ({ world, endUser }) => [
        ...['--environment', world.environmentId, '--user', endUser.userId],
        ...['--file', join(tmpdir(), `gatehouse-person-${randomUUID()}.json`)],
      ],
      untold: 'a question, which changes nothing',
    },
    'users import': { options: userFile },
    'users duplicates': {
      options: ({ world }) => ['--environment', world.environmentId],
      untold: 'a question, which changes nothing',
    },
  },
};
