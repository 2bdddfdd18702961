import { setTimeout as delay } from 'node:timers/promises';
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../src/outbound/ssrf-vectors.js';
import { atMost, judge, landed } from '../checkers/finding.js';
import { isRefusal } from '../load/at-once.js';
import { jsonOf } from '../load/client.js';
import { Dns } from '../servers/dns.js';
import { PortTrap } from '../servers/port-trap.js';
import { restartWith } from '../world/restart.js';
import type { World } from '../world/world.js';
import { MISSING, NAMES, PERMITTED, PUBLIC, REBOUND, SILENT, SUFFIX, TRAPPED } from './f16-names.js';
import type { Fault } from './fault.js';
import { untilAnswered } from './keyed.js';
import { attemptsOf } from './messages.js';
import { happensWithin } from './when.js';

const LITERALS = 120;
const LOOKUP_MS = 2000;
/** When the service gives up a query that nobody answers. */
const QUERY_MS = 1800;
/** Allowance for the rest of the attempt. */
const SLACK_MS = 500;
/** A refusal because of the number of webhooks, which says nothing of the address. */
const FULL = 'too_many_webhooks';
const PRELOAD = new URL('../servers/answer-lookups.js', import.meta.url).href;

/** Every forbidden address is refused when given for a webhook. @returns those that were not */
async function accepted(world: World, port: number): Promise<string[]> {
  const urls = [
    ...FORBIDDEN_HOSTS.flatMap(([host]) => [`https://${host}:${port}/`, `http://${host}:${port}/`]),
    ...FORBIDDEN_URLS.map(([url]) => url),
  ];
  const found: string[] = [];
  for (const url of urls) {
    const body = { url, isEnabled: true, events: ['user.created'] };
    const reply = await untilAnswered(() => world.ask('POST', '/webhooks', body));
    if (!isRefusal(reply) || jsonOf(reply)['code'] === FULL) found.push(`${url}: ${reply.status}`);
  }
  // Accepted ones must leave room for the others.
  await world.withDatabase((client) =>
    client.query('DELETE FROM webhooks WHERE environment_id = $1 AND id <> ALL ($2)', [
      world.ground.tenant.environmentId,
      [...world.hooks.values()],
    ]),
  );
  return found;
}

/**
 * Webhooks with addresses that the API would refuse, and more of them than allowed, as if they predated the rules:
 * created with a valid address, which is then changed in the database. Existing ones count as deleted meanwhile; the
 * workers are not running, since they would act on deleted ones.
 */
async function plant(world: World, urls: ReadonlyMap<string, string>): Promise<void> {
  const { environmentId } = world.ground.tenant;
  const write = (text: string, ...values: unknown[]) =>
    world.withDatabase((client) => client.query(text, [environmentId, ...values]));
  for (const [hook, url] of urls) {
    const id = await world.createWebhook(hook);
    await write('UPDATE webhooks SET url = $2, deleted_at = now() WHERE environment_id = $1 AND id = $3', url, id);
  }
  await write('UPDATE webhooks SET deleted_at = NULL WHERE environment_id = $1');
}

export const namesAndLiterals: Fault = {
  id: 'F16',
  title: 'Names that lead inside, names without an answer, and every spelling of an address',
  criterion: 'no connection to the trap; a lookup takes at most 2 s',
  stack: { apis: 1, workers: 1, hooks: 1 },
  async run(world, size) {
    const rounds = size === 'full' ? 12 : 4;
    const trap = world.add(await PortTrap.start(TRAPPED, PERMITTED));
    const zone = new Map([...NAMES].map(([name, entry]) => [`${name}${SUFFIX}`, entry]));
    const dns = world.add(await Dns.start(zone));
    const saved = await accepted(world, trap.port);
    const names = [...NAMES.keys(), MISSING];
    const literals = FORBIDDEN_HOSTS.map((_, index) => `literal-${index}`);
    const hooks = [...names, ...literals];
    await Promise.all(world.workers.map((worker) => worker.kill()));
    await plant(
      world,
      new Map([
        ...names.map((name) => [name, `https://${name}${SUFFIX}:${trap.port}/${name}`] as const),
        ...FORBIDDEN_HOSTS.map(
          ([host], index) => [`literal-${index}`, `https://${host}:${trap.port}/literal-${index}`] as const,
        ),
      ]),
    );
    await restartWith(world, world.workers, {
      EGRESS_ALLOW: `127.0.0.1:${world.sink.port},${PERMITTED}:${trap.port}`,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      CHAOS_DNS: dns.address,
      CHAOS_DNS_SUFFIX: SUFFIX,
    });

    const since = new Date();
    for (let round = 0; round < rounds; round += 1) {
      await world.load.createUser();
      await delay(500);
    }
    const ofAll = () => attemptsOf(world, hooks, since);
    await happensWithin(30_000, async () => new Set((await ofAll()).map(({ hook }) => hook)).size === hooks.length);
    const attempts = await ofAll();
    const seen = new Set(attempts.map(({ hook }) => hook));
    const silent = attempts.filter(({ hook }) => hook === SILENT).map(({ durationMs }) => durationMs);
    const asked = names.filter((name) => dns.asked.has(`${name}${SUFFIX}`));
    const lookups = (dns.asked.get(`${REBOUND}${SUFFIX}`) ?? 0) / 2;
    const delivered = attempts.filter(({ status }) => status !== 'failed');
    return {
      figures: {
        ...{ names: names.length, asked: asked.length, rebindings: lookups, literals: literals.length },
        ...{ attempts: attempts.length, permitted: trap.permitted, trap: trap.caught.length + world.trap.connections },
        silentMs: Math.max(...silent),
      },
      findings: [
        landed(asked.length, names.length, 'names asked for at the name server'),
        landed(Math.floor(lookups), 2, `lookups of ${REBOUND}${SUFFIX}, each with another answer`),
        landed(trap.permitted, 2, `connections to the address that may be called (${PUBLIC}, ${REBOUND})`),
        landed(literals.filter((hook) => seen.has(hook)).length, LITERALS, 'literals attempted'),
        landed(silent.filter((ms) => ms >= QUERY_MS - 100).length, 1, 'lookups without an answer'),
        judge('refused when saved', `${2 * FORBIDDEN_HOSTS.length + FORBIDDEN_URLS.length} addresses`, saved),
        judge(
          'trap',
          `${trap.caught.length + world.trap.connections} connections`,
          [...new Set(trap.caught)].map((address) => `${address} was connected to`),
        ),
        judge(
          'recorded as failures',
          `${attempts.length} attempts at ${seen.size} addresses`,
          delivered.map(({ hook }) => `${hook} was delivered`),
        ),
        atMost('longest lookup', Math.max(...silent), LOOKUP_MS + SLACK_MS, ' ms'),
      ],
      bounds: { waiting: new Set(hooks) },
    };
  },
};
