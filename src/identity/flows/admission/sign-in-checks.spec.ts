import { describe, expect, it } from '@jest/globals';
import { forbidden, unauthorized } from '../../../common/errors/index.js';
import type { EnvironmentId, Executor } from '../../../database/index.js';
import type { FullUser } from '../../users/full-user.js';
import { PreparationNeeded, SignInCheck, SignInChecks, Undecided, type Admission } from './sign-in-checks.js';

const admission: Admission = {
  environmentId: 'e' as EnvironmentId,
  user: {} as FullUser,
  created: false,
  amr: ['otp'],
  occasion: 'sign-in',
  client: { ipAddress: '', userAgent: null, origin: null },
};
const on = {} as Executor;

class Rule extends SignInCheck {
  constructor(private readonly answer: () => Awaited<ReturnType<SignInCheck['check']>>) {
    super();
  }

  override async check(): ReturnType<SignInCheck['check']> {
    return this.answer();
  }
}

describe('sign-in checks', () => {
  it('give every user the base scope', async () => {
    await expect(new SignInChecks().run(admission, on)).resolves.toEqual({ scopes: [], lists: [] });
  });

  it('add up, in order and each once', async () => {
    const checks = new SignInChecks();
    checks.register(new Rule(() => ({ scopes: ['gold'], lists: ['a'] })));
    checks.register(new Rule(() => null));
    checks.register(new Rule(() => ({ scopes: ['silver', 'gold'], lists: ['b', 'a'] })));
    await expect(checks.run(admission, on)).resolves.toEqual({
      scopes: ['gold', 'silver'],
      lists: ['a', 'b'],
    });
  });

  it('stop at the first that refuses', async () => {
    const asked: string[] = [];
    const checks = new SignInChecks();
    checks.register(
      new Rule(() => {
        throw forbidden();
      }),
    );
    checks.register(new Rule(() => (asked.push('second'), null)));
    await expect(checks.run(admission, on)).rejects.toMatchObject({ status: 403 });
    expect(asked).toEqual([]);
  });

  it('leave to later what takes a statement, and only that', async () => {
    const steps: string[] = [];
    const checks = new SignInChecks();
    checks.register(
      new Rule(() => new Undecided(async () => (steps.push('decided'), { scopes: ['early'], lists: ['first'] }))),
    );
    checks.register(new Rule(() => (steps.push('asked'), { scopes: ['gold'] })));
    const decide = await checks.ask(admission, on);
    steps.push('session');
    await expect(decide()).resolves.toEqual({ scopes: ['early', 'gold'], lists: ['first'] });
    expect(steps).toEqual(['asked', 'session', 'decided']);
  });

  it.each([
    ['a refusal', forbidden()],
    ['something to prepare', new PreparationNeeded(async () => undefined)],
  ])('let the first refusal decide, although a rule after it has said at once that it has %s', async (_what, later) => {
    const checks = new SignInChecks();
    checks.register(
      new Rule(
        () =>
          new Undecided(async () => {
            throw unauthorized();
          }),
      ),
    );
    checks.register(
      new Rule(() => {
        throw later;
      }),
    );
    await expect(checks.ask(admission, on)).rejects.toMatchObject({ status: 401 });
  });
});
