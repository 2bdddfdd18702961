import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { enableTelegram, newLogin, queryOf } from '../support/telegram.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World } from '../support/world.js';

interface Made {
  user: { id: string; wallets: { id: string }[] };
}
interface Signed {
  user: { id: string };
  jwt: string;
}

describe('a wallet that was made ahead for a user name at a provider', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    await enableTelegram(world);
  });
  afterAll(() => test.close());

  const madeFor = async (identifier: string): Promise<Made['user']> => {
    const wanted = { identifier, type: 'socialUsername', socialProvider: 'telegram', chains: ['EVM'] };
    return (await world.api.post<Made>(world.path('/embeddedWallets'), wanted, { expect: 201 })).body.user;
  };

  it('is of nobody who comes with that name, which may have been given up by whom it was made for', async () => {
    const made = await madeFor('ada_l');
    const telegramAuthToken = queryOf(newLogin({ username: 'ada_l' }));
    const { body } = await world.anonymous.post<Signed>(world.sdk('/telegram/signin'), { telegramAuthToken });
    expect(body.user.id).not.toBe(made.id);
    const claim = await world.anonymous.put(
      world.sdk('/users/embeddedWallets/passcode/claim'),
      { walletId: made.wallets[0]!.id },
      { token: body.jwt },
    );
    expect(claim.status).toBe(422);
  });
});
