import type { PlantedCode } from '../../bench/plant/tenant.js';
import { judge, landed } from '../checkers/finding.js';
import { atOnce, isSuccess, tally, unlessOneEach } from '../load/at-once.js';
import { jsonOf, type Reply } from '../load/client.js';
import { PATIENT } from '../world/stack-wish.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { countsOf } from './redemptions/artefact.js';
import { People } from './redemptions/people.js';

const AT_ONCE = 50;
/** Length shown of an unsuccessful response. */
const SHOWN = 150;
const CHAINS = ['EVM', 'SOL'];

const MADE = `
  WITH people AS (SELECT id FROM users WHERE environment_id = $1 AND email = $2)
  SELECT (SELECT count(*) FROM people)::int AS users,
    (SELECT count(*) FROM events WHERE environment_id = $1 AND name = 'user.created'
       AND resource_id IN (SELECT id FROM people))::int AS "user.created",
    (SELECT count(*) FROM wallets WHERE environment_id = $1 AND user_id IN (SELECT id FROM people))::int AS wallets,
    (SELECT count(DISTINCT chain) FROM wallets
       WHERE environment_id = $1 AND user_id IN (SELECT id FROM people))::int AS chains,
    (SELECT count(*) FROM events e WHERE environment_id = $1 AND name = 'wallet.created' AND e.resource_id IN
       (SELECT id FROM wallets WHERE environment_id = $1 AND user_id IN (SELECT id FROM people)))::int AS "wallet.created"`;

/** Everything of a user exists once; wallets once per chain. */
async function unlessOnePerson(world: World, email: string, chains: number): Promise<string[]> {
  const counts = await countsOf(world, MADE, [world.ground.tenant.environmentId, email]);
  const { wallets = 0, chains: different = 0, 'wallet.created': told = 0, ...one } = counts;
  const wrong = unlessOneEach(email, one);
  if (wallets !== chains || different !== chains) wrong.push(`${email} has ${wallets} wallets on ${different} chains`);
  if (told !== chains) wrong.push(`${email}: ${told} events tell of ${chains} wallets`);
  return wrong;
}

function unlessAllGood(email: string, replies: readonly Reply[]): string[] {
  const bad = replies.find((reply) => !isSuccess(reply));
  return bad ? [`${email}: ${tally(replies)}, such as ${bad.text.slice(0, SHOWN)} after ${Math.round(bad.ms)} ms`] : [];
}

const userIn = (reply: Reply): string | undefined => (jsonOf(reply)['user'] as { id?: string } | undefined)?.id;

function unlessOneUser(email: string, replies: readonly Reply[]): string[] {
  const users = new Set(replies.map(userIn));
  return users.size === 1 ? [] : [`${email} was answered with ${users.size} users`];
}

const prepare = (world: World, email: string): Promise<Reply> =>
  world.ask('POST', '/embeddedWallets', { identifier: email, type: 'email', chains: CHAINS });

async function sameWallet(world: World, trial: number): Promise<string[]> {
  const email = `same-${trial}@once.example`;
  const replies = await atOnce(AT_ONCE, () => prepare(world, email));
  const wrong = [...unlessAllGood(email, replies), ...(await unlessOnePerson(world, email, CHAINS.length))];
  const bodies = new Set(replies.map(({ text }) => text));
  if (bodies.size !== 1) wrong.push(`${email} was answered in ${bodies.size} ways`);
  const makers = replies.filter(({ status }) => status === 201).length;
  return makers === 1 ? wrong : [...wrong, `${makers} calls say that they made ${email}`];
}

/** A user signs in for the first time while wallets are created in advance. */
async function preparedAndSignedIn(world: World, people: People): Promise<string[]> {
  const { code, email } = people.plantedCode();
  const at = Math.floor(world.random() * AT_ONCE);
  const replies = await atOnce(AT_ONCE, (index) => (index === at ? people.redeem(code) : prepare(world, email)));
  return [
    ...unlessAllGood(email, replies),
    ...unlessOneUser(email, replies),
    ...(await unlessOnePerson(world, email, CHAINS.length)),
  ];
}

/** Valid codes for one mailbox, all redeemed concurrently. */
async function firstSignIn(world: World, people: People, trial: number): Promise<string[]> {
  const email = `first-${trial}@once.example`;
  const codes: PlantedCode[] = [];
  for (let index = 0; index < AT_ONCE; index += 1) codes.push(await people.mailedCode(email));
  // Attempts are counted before comparison, so some of many concurrent valid ones are rate limited.
  const replies = (await Promise.all(codes.map((code) => people.redeem(code)))).filter(({ status }) => status !== 429);
  return [
    ...(replies.length === 0 ? [`${email}: nobody was let in`] : []),
    ...unlessAllGood(email, replies),
    ...unlessOneUser(email, replies),
    ...(await unlessOnePerson(world, email, 0)),
  ];
}

export const madeOnce: Fault = {
  id: 'F19',
  title: 'One wallet fifty times, wallets ahead of a sign-in, fifty first sign-ins',
  criterion: 'one user, one event, one wallet for each chain; fifty equal answers',
  stack: { apis: 2, workers: 1, hooks: 1, api: PATIENT },
  async run(world, size) {
    const trials = size === 'full' ? 20 : 2;
    const people = await People.of(world);
    const races: Record<string, (trial: number) => Promise<string[]>> = {
      'same wallet': (trial) => sameWallet(world, trial),
      'wallets ahead of a sign-in': () => preparedAndSignedIn(world, people),
      'first sign-in': (trial) => firstSignIn(world, people, trial),
    };
    const figures: Record<string, string> = {};
    const findings = [];
    for (const [name, race] of Object.entries(races)) {
      const wrong: string[] = [];
      let good = 0;
      for (let trial = 0; trial < trials; trial += 1) {
        const found = await race(trial);
        if (found.length === 0) good += 1;
        wrong.push(...found);
      }
      figures[name] = `${good}/${trials}`;
      findings.push(judge(name, `${trials} trials, ${AT_ONCE} at once`, wrong));
    }
    return { figures, findings: [landed(findings.length * trials, 3 * trials, 'races'), ...findings] };
  },
};
