import { describe, expect, it } from '@jest/globals';
import { forbidden } from '../../../common/errors/index.js';
import type { EnvironmentId, Executor } from '../../../database/index.js';
import type { FullUser } from '../../users/full-user.js';
import { SignInCheck, SignInChecks, type Admission } from './sign-in-checks.js';

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
});
