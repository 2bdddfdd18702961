import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LoadJob, LoadRequest, LoadResult } from '../../bench/load/load-job.js';
import { Program } from '../../bench/stack/program.js';
import { FieldPattern } from '../../src/identity/custom-fields/field-pattern.js';
import { PatternBudget } from '../../src/identity/custom-fields/pattern-budget.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newEmail, World } from '../support/world.js';

/** What the event loop may lag at the ninety-ninth percentile while a tenant does its worst. */
const MOST_LAG_MS = 100;
/** A call of somebody else takes several turns of the loop: its token, its statement, its answer. */
const MOST_WAIT_MS = 400;
const ROUND_MS = 4_000;
const FIELDS = 100;
const AT_ONCE = 20;
/** What one of these matches takes on a machine of modest speed. A fast one does it several times in that. */
const MATCH_MS = 4;

const VALUE = Array.from({ length: 45 }, (_, n) => String.fromCharCode(97 + ((n * n * 7) % 26))).join('');
/** As large as a pattern may be for a value of this length; no two are the same, so that nobody has compiled one before. */
const costlyPattern = (letter: string, n: number): string => `(?:(?:\\pL){0,30}){0,10}${letter}{0,${n}}`;

interface Round {
  lag: number;
  /** How long calls of another tenant took. */
  wait: number;
  /** What the tenant's own calls were answered. */
  answers: number;
}

const isFine = ({ lag, wait }: Round): boolean => lag <= MOST_LAG_MS && wait <= MOST_WAIT_MS;

describe('a tenant whose hundred fields have the costliest patterns, with twenty of its calls at once', () => {
  let test: TestApp;
  let others: World;
  let call: LoadRequest;
  let attacking: Program<LoadJob, LoadResult>;
  let calling: Program<LoadJob, LoadResult>;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    others = await World.create(test);
    const { userId } = await others.signIn(newEmail());
    call = {
      method: 'GET',
      path: `/api/v0${others.path(`/users/${userId}`)}`,
      headers: { authorization: `Bearer ${others.token}` },
    };
    // Clients are processes of their own: what they do is no lag of the service.
    attacking = Program.start('load/load.ts');
    calling = Program.start('load/load.ts');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await attacking?.stop();
    await calling?.stop();
    await test?.close();
  });

  /** A fresh tenant and the call that fills in so many of its hundred fields. */
  async function attacker(letter: string, filled: number): Promise<LoadRequest> {
    const world = await World.create(test);
    for (let n = 0; n < FIELDS; n += 1) {
      const field = { name: `Field ${n}`, enabled: true, required: false, fieldType: 'text', position: n };
      const validationRules = { regex: costlyPattern(letter, n) };
      await world.api.post(world.path('/custom/fields'), { ...field, validationRules }, { expect: 201 });
    }
    const { jwt } = await world.signIn(newEmail());
    const metadata = Object.fromEntries(Array.from({ length: filled }, (_, n) => [`field_${n}`, VALUE]));
    return {
      method: 'PUT',
      path: `/api/v0${world.sdk('/users')}`,
      headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({ metadata }),
    };
  }

  /** What the tenant asks for is more than its budget, so all its answers are refusals that write nothing. */
  async function measured(attack: LoadRequest, durationMs: number): Promise<Round> {
    const job = { origin: test.url, durationMs, repeat: true, label: 'patterns' };
    const histogram = monitorEventLoopDelay({ resolution: 10 });
    histogram.enable();
    const [tenant, somebody] = await Promise.all([
      attacking.ask({ ...job, connections: AT_ONCE, status: 422, requests: [attack] }),
      calling.ask({ ...job, connections: 2, pauseMs: 10, status: 200, requests: [call] }),
    ]);
    histogram.disable();
    expect([tenant.failures, somebody.failures]).toEqual([{}, {}]);
    return { lag: histogram.percentile(99) / 1e6, wait: somebody.p99, answers: tenant.answers };
  }

  it('keeps nobody else waiting, and is answered itself', async () => {
    const rounds: Round[] = [];
    // The machine may halt the process as well, but not in each of five rounds.
    for (const letter of ['p', 'q', 'r', 't', 'u']) {
      const round = await measured(await attacker(letter, FIELDS), ROUND_MS);
      rounds.push(round);
      expect(round.answers).toBeGreaterThanOrEqual(AT_ONCE);
      if (isFine(round)) break;
    }
    expect(rounds.filter(isFine).length > 0 ? [] : rounds).toEqual([]);
  }, 240_000);

  it('would halt the service for everybody without the budget and its turns, which is what the sentence above sees', async () => {
    jest.spyOn(PatternBudget.prototype, 'matches').mockImplementation(async (regex, value) => {
      const until = performance.now() + MATCH_MS;
      do FieldPattern.compile(regex).matches(value);
      while (performance.now() < until);
      return false;
    });
    // So these fields halt the loop for a quarter of a second, and a slow machine not for much longer.
    const { lag, wait } = await measured(await attacker('s', 60), 1_500);
    expect(lag).toBeGreaterThan(MOST_LAG_MS);
    expect(wait).toBeGreaterThan(MOST_LAG_MS);
  }, 120_000);
});
