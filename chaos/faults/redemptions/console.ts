import { jsonOf } from '../../load/client.js';
import { atOnce, isRefusal, isSuccess, tally, unlessOneEach, unlessOneWins } from '../../load/at-once.js';
import type { World } from '../../world/world.js';
import { AT_ONCE, countsOf, type Artefact } from './artefact.js';
import type { People, Person } from './people.js';

const OWNER = 'owner@bench.example';
const RIVALS = 5;

/** One sign-in serves every artefact, since the owner is the same. */
const owners = new WeakMap<World, Promise<Person>>();
function ownerOf(world: World, people: People): Promise<Person> {
  const owner = owners.get(world) ?? people.console(OWNER);
  owners.set(world, owner);
  return owner;
}

async function benchId(world: World): Promise<string> {
  const { rows } = await world.withDatabase((client) =>
    client.query<{ id: string }>(`SELECT id FROM organizations WHERE name = 'Bench'`),
  );
  return rows[0]?.id ?? '';
}

const ACCEPTED = `
  SELECT (SELECT count(*) FROM members WHERE organization_id = $1 AND user_id = $2)::int AS members,
    (SELECT count(*) FROM events WHERE name = 'invite.accepted' AND resource_id = $3)::int AS "invite.accepted"`;

export const invite: Artefact = {
  name: 'organization invite',
  prepare: async (world, people) => {
    const owner = await ownerOf(world, people);
    const organizationId = await benchId(world);
    return async (trial) => {
      const email = `guest-${trial}@console.example`;
      const guest = await people.console(email);
      const path = `/organizations/${organizationId}/invites`;
      const sent = await people.as(owner.token, { method: 'POST', path, body: { email, role: 'developer' } });
      const { rows } = await world.withDatabase((client) =>
        client.query<{ id: string }>('SELECT id FROM invites WHERE email = $1', [email]),
      );
      const id = rows[0]?.id;
      if (!id) return [`no invite for ${email}: ${sent.status} ${sent.text}`];
      const accept = { method: 'PUT', path: `/invites/${id}`, body: { status: 'accepted' } } as const;
      const replies = await atOnce(AT_ONCE, () => people.as(guest.token, accept));
      const counts = await countsOf(world, ACCEPTED, [organizationId, guest.userId, id]);
      return [...unlessOneWins(`invite of ${email}`, replies), ...unlessOneEach(`invite of ${email}`, counts)];
    };
  },
};

const REDEEMED = `
  SELECT (SELECT redemptions FROM billing_coupons WHERE code = $1) AS "counted redemption",
    (SELECT count(*) FROM billing_redemptions WHERE coupon = $1)::int AS redemptions,
    (SELECT count(DISTINCT resource_id) FROM events WHERE name = 'coupon.redeemed' AND created_at >= $2)::int AS "coupon.redeemed"`;

/** One redemption contested by several organizations. For the winner, redeeming it again is a no-op. */
export const coupon: Artefact = {
  name: 'coupon',
  prepare: async (world, people) => {
    const owner = await ownerOf(world, people);
    const rivals: string[] = [];
    for (let index = 0; index < RIVALS; index += 1) {
      const body = { name: `Rival ${index}` };
      const reply = await people.as(owner.token, { method: 'POST', path: '/organizations', body });
      const made = jsonOf(reply) as { id?: string; organization?: { id?: string } };
      rivals.push(made.id ?? made.organization?.id ?? '');
    }
    return async (trial) => {
      const code = `ONCE-${trial}`;
      const { now } = await world.withDatabase(async (client) => {
        await client.query('INSERT INTO billing_coupons (code, trial_days, max_redemptions) VALUES ($1, 1, 1)', [code]);
        const { rows } = await client.query<{ now: Date }>('SELECT now()');
        return rows[0] ?? { now: new Date() };
      });
      const replies = await atOnce(AT_ONCE, async (index) => {
        const rival = rivals[index % RIVALS] ?? '';
        const path = `/organizations/${rival}/billing/subscription/coupon`;
        return { rival, reply: await people.as(owner.token, { method: 'PUT', path, body: { coupon: code } }) };
      });
      const won = new Set(replies.filter(({ reply }) => isSuccess(reply)).map(({ rival }) => rival));
      const all = replies.map(({ reply }) => reply);
      const wrong = all.every((reply) => isSuccess(reply) || isRefusal(reply)) ? [] : [`${code}: ${tally(all)}`];
      const counts = { ...(await countsOf(world, REDEEMED, [code, now])), winner: won.size };
      return [...wrong, ...unlessOneEach(code, counts)];
    };
  },
};
