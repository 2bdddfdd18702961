import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Get, Module } from '@nestjs/common';
import { Public, RateLimited, RateLimiter, RATE_RULES, type RateRule } from '../../src/auth/index.js';
import { StringField } from '../../src/common/fields/index.js';
import { ApiController, Operation, Returns } from '../../src/common/http/operation.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { RawClient } from '../support/surface/raw-client.js';
import { World } from '../support/world.js';

class Tide {
  @StringField()
  name!: string;
}

const perMinute = (name: string, limit: number, per: RateRule['per'] = 'address'): RateRule => ({
  ...{ name, limit, windowSeconds: 60, per },
});

/** A module with an operation at each of the paths, which has this limit. */
function limited(id: string, ...operations: { path: string; rule: RateRule }[]): new () => object {
  const controllers = operations.map(({ path, rule }, at) => {
    @ApiController(path, 'Tides')
    class TidesController {
      @Get()
      @Operation({ id: `${id}${at}`, summary: 'A tide' })
      @Public()
      @RateLimited(rule)
      @Returns(Tide)
      get(): Tide {
        return { name: 'low' };
      }
    }
    return TidesController;
  });

  @Module({ controllers })
  class TidesModule {}
  return TidesModule;
}

const NAMED = 'sdk/:environmentId/tides';

describe('a limit of an extension', () => {
  let test: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    const shared = perMinute('tides', 2);
    const extensions = [
      limited('getTide', { path: NAMED, rule: shared }, { path: 'sdk/:environmentId/ebbs', rule: shared }),
    ];
    test = await startTestApp({ extensions, env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' } });
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await test.close();
  });

  const starting = (extension: new () => object) =>
    startTestApp({ databaseUrl: test.databaseUrl, extensions: [extension], env: { ROLE: 'api' } });

  it('is shared by all handlers that use it', async () => {
    const statuses: number[] = [];
    for (const at of ['tides', 'ebbs', 'tides']) {
      const path = `/api/v0${world.sdk(`/${at}`)}`;
      statuses.push((await client.send({ method: 'GET', path })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('with a duplicate name prevents the application from starting', async () => {
    const [few, many] = [perMinute('floods', 1), perMinute('floods', 50)];
    const twice = limited('getFlood', { path: NAMED, rule: few }, { path: 'sdk/:environmentId/floods', rule: many });
    await expect(starting(twice)).rejects.toThrow('floods of TidesController.get');
    const ours = limited('getSurge', { path: NAMED, rule: { ...RATE_RULES.signIn } });
    await expect(starting(ours)).rejects.toThrow('sign-in of TidesController.get');
  });

  it('per environment prevents the application from starting if a path names none', async () => {
    const rule = perMinute('waves', 5, 'environment');
    await expect(starting(limited('getWave', { path: 'waves/:waveId', rule }))).rejects.toThrow(':environmentId');
  });

  it('is separate for each handler', () => {
    class Twice {
      get(): void {
        // Its declaration alone is looked at.
      }
    }
    const method = Object.getOwnPropertyDescriptor(Twice.prototype, 'get')!;
    RateLimited(perMinute('one', 1))(Twice.prototype, 'get', method);
    expect(() => RateLimited(perMinute('two', 2))(Twice.prototype, 'get', method)).toThrow(
      'Twice.get has two rate limits',
    );
  });

  it('taken in a service is separate from that of another one with its name', async () => {
    const limiter = test.app.get(RateLimiter, { strict: false });
    const [many, few] = ([50, 1] as const).map((limit) => ({ name: 'springs', limit, windowSeconds: 60 }));
    expect(await limiter.take(many!, 'somebody')).toBeNull();
    expect(await limiter.take(few!, 'somebody')).toBeNull();
    expect(await limiter.take(few!, 'somebody')).toBeGreaterThan(0);
  });
});
