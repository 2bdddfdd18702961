import { judge, landed } from '../checkers/finding.js';
import type { SinkMode } from '../servers/sink-modes.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';
import { attemptsOf } from './messages.js';
import { happensWithin } from './when.js';

/** A redirect target that may be called: the receiver itself. */
const ELSEWHERE = 'elsewhere';

/** Where the receiver redirects to. */
const targetsOf = ({ trap, sink }: World): Readonly<Record<string, string>> => ({
  metadata: 'http://169.254.169.254/latest/meta-data/',
  loopback: `http://127.0.0.1:${trap.port}/`,
  name: `http://localhost:${trap.port}/`,
  short: `http://127.1:${trap.port}/`,
  mapped: `http://[::ffff:127.0.0.1]:${trap.port}/`,
  relative: `//127.0.0.1:${trap.port}/`,
  secure: `https://127.0.0.1:${trap.port}/`,
  file: 'file:///etc/passwd',
  allowed: sink.url(ELSEWHERE),
});

export const redirects: Fault = {
  id: 'F15',
  title: 'Redirects to the inside of the network',
  criterion: 'no connection to the trap, no redirect is followed; recorded as a failure',
  stack: { apis: 1, workers: 1, hooks: 1 },
  async run(world, size) {
    const events = size === 'full' ? 20 : 5;
    const targets = targetsOf(world);
    const hooks = Object.keys(targets);
    for (const [hook, to] of Object.entries(targets)) {
      await world.createWebhook(hook);
      const mode: SinkMode = { kind: 'redirect', to };
      world.sink.become(hook, mode);
    }
    await Promise.all(Array.from({ length: events }, () => world.load.createUser()));
    const expected = events * hooks.length;
    await happensWithin(15_000, async () => (await attemptsOf(world, hooks)).length >= expected);
    const attempts = await attemptsOf(world, hooks);
    const redirected = world.sink.receipts.filter(({ hook, status }) => hook in targets && status === 302);
    const followed = world.sink.receipts.filter(({ hook }) => hook === ELSEWHERE);
    const wrong = attempts.filter(
      ({ status, answer, error }) => status !== 'failed' || answer !== 302 || error !== 'status',
    );
    return {
      figures: { redirects: redirected.length, recorded: attempts.length, trap: world.trap.connections },
      findings: [
        landed(redirected.length, expected, 'redirects answered'),
        judge(
          'trap',
          `${world.trap.connections} connections`,
          world.trap.connections > 0 ? ['somebody followed a redirect'] : [],
        ),
        judge(
          'not followed',
          `${followed.length} requests at the place that may be called`,
          followed.map(() => 'a redirect was followed'),
        ),
        judge(
          'recorded as a failure',
          `${attempts.length} attempts`,
          wrong.map(({ hook, status, answer }) => `${hook} was recorded as ${status} with ${answer}`),
        ),
      ],
      bounds: { waiting: new Set(hooks) },
    };
  },
};
