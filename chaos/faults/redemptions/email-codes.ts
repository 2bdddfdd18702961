import { atOnce, unlessOneEach, unlessOneWins } from '../../load/at-once.js';
import { AT_ONCE, countsOf, type Artefact } from './artefact.js';

const SIGNED_IN = `
  SELECT count(*)::int AS users,
    (SELECT count(*) FROM sessions s WHERE s.environment_id = $1 AND s.user_id = min(u.id::text)::uuid)::int AS sessions,
    (SELECT count(*) FROM events e WHERE e.environment_id = $1 AND e.resource_id = min(u.id::text)::uuid
       AND e.name = 'user.created')::int AS "user.created",
    (SELECT count(*) FROM events e WHERE e.environment_id = $1 AND e.user_id = min(u.id::text)::uuid
       AND e.name = 'user.session.created')::int AS "user.session.created"
  FROM users u WHERE u.environment_id = $1 AND u.email = $2`;

export const emailCode: Artefact = {
  name: 'e-mail code (sign-in)',
  prepare: async (world, people) => async () => {
    const { code, email } = people.plantedCode();
    const replies = await atOnce(AT_ONCE, () => people.redeem(code));
    const counts = await countsOf(world, SIGNED_IN, [world.ground.tenant.environmentId, email]);
    return [...unlessOneWins(`code of ${email}`, replies), ...unlessOneEach(`code of ${email}`, counts)];
  },
};

const LINKED = `
  SELECT count(*)::int AS credentials FROM credentials
  WHERE environment_id = $1 AND user_id = $2 AND email = $3`;

export const emailLinkCode: Artefact = {
  name: 'e-mail code (another address)',
  prepare: async (world, people) => async () => {
    const { token, userId } = await people.signIn(people.plantedCode().code);
    const { code, email } = people.plantedCode();
    const replies = await atOnce(AT_ONCE, () => people.sdk('/emailVerifications/verify', { body: code, token }));
    const counts = await countsOf(world, LINKED, [world.ground.tenant.environmentId, userId, email]);
    return [...unlessOneWins(`link of ${email}`, replies), ...unlessOneEach(`link of ${email}`, counts)];
  },
};
