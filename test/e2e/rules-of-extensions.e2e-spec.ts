import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineError } from '../../src/common/errors/index.js';
import { SignInCheck, SignInChecks, type Admission } from '../../src/identity/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newEmail, World } from '../support/world.js';

const tillClosed = defineError({
  code: 'till_closed',
  status: 409,
  message: 'The till is closed.',
  hint: 'Come back tomorrow.',
  cause: 'Rules of a team say what they like.',
  fix: 'Wait.',
});

/** A rule of a team, which refuses whoever is not to come in by an error of its own. */
class Till extends SignInCheck {
  readonly closedFor = new Set<string>();
  asked = 0;

  override async check({ user }: Admission): Promise<null> {
    if (!this.closedFor.has(user.email ?? '')) return null;
    this.asked += 1;
    throw tillClosed();
  }
}

describe('a rule that refuses with an error of its own', () => {
  const till = new Till();
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    test.app.get(SignInChecks, { strict: false }).register(till);
  });
  beforeEach(async () => void (world = await World.create(test)));
  afterAll(() => test.close());

  it('is asked once, and what it says is answered', async () => {
    const email = newEmail();
    till.closedFor.add(email);
    const verificationUUID = await world.sendCode(email);
    // Without the client of the suites: an error of an extension is in no document.
    const answer = await fetch(`${test.url}/api/v0${world.sdk('/emailVerifications/signin')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ verificationUUID, verificationToken: world.code(email) }),
    });
    const { code } = (await answer.json()) as { code: string };
    expect([answer.status, code, till.asked]).toEqual([409, 'till_closed', 1]);
  });
});
