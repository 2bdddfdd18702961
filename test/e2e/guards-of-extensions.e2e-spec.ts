import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Module,
  Post,
  UseGuards,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { retry } from 'rxjs';
import { Dashboard } from '../../src/auth/index.js';
import { StringField } from '../../src/common/fields/index.js';
import { ApiController, Operation, Returns } from '../../src/common/http/operation.js';
import { CallWork, type Work } from '../../src/idempotency/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { RawClient } from '../support/surface/raw-client.js';
import { World } from '../support/world.js';

/** Whom the guards of the team let pass, and how often the handler fails. */
const doors = { everybody: true, cellars: true, stuck: 0 };

class Bottle {
  @StringField()
  secret!: string;
}

@Injectable()
class HouseGuard implements CanActivate {
  canActivate(): boolean {
    return doors.everybody;
  }
}

/** One that is put on its controller, and so comes after all that are put around everything. */
@Injectable()
class CellarGuard implements CanActivate {
  canActivate(): boolean {
    return doors.cellars;
  }
}

@ApiController('environments/:environmentId/cellars', 'Cellars')
@UseGuards(CellarGuard)
class CellarsController {
  @Post()
  @Operation({ id: 'openBottle', summary: 'A bottle', idempotent: true })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(Bottle, { status: 201 })
  async open(@CallWork() work: Work): Promise<Bottle> {
    return work.run(async () => {
      if (doors.stuck-- > 0) throw new Error('The door is stuck.');
      return { secret: randomUUID() };
    });
  }
}

/** Asks once more when a handler fails, as Nest lets an interceptor do. */
@Injectable()
class TriesAgain implements NestInterceptor {
  intercept(_: ExecutionContext, handler: CallHandler) {
    return handler.handle().pipe(retry(1));
  }
}

@Module({
  controllers: [CellarsController],
  providers: [
    { provide: APP_GUARD, useClass: HouseGuard },
    { provide: APP_INTERCEPTOR, useClass: TriesAgain },
  ],
})
class CellarsModule {}

describe('guards of an extension', () => {
  let test: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ extensions: [CellarsModule], env: { ROLE: 'api' } });
    test.app.useLogger(false);
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  beforeEach(() => {
    Object.assign(doors, { everybody: true, cellars: true, stuck: 0 });
  });
  afterAll(async () => {
    client.close();
    await test.close();
  });

  const open = (key: string) => {
    const path = `/api/v0${world.path('/cellars')}`;
    return client.send({ method: 'POST', path, token: world.token, headers: { 'Idempotency-Key': key } });
  };

  it.each(['everybody', 'cellars'] as const)('run before a stored response is repeated (%s)', async (door) => {
    const key = randomUUID();
    const first = await open(key);
    expect(first.status).toBe(201);
    expect(await open(key)).toMatchObject({ status: 201, text: first.text });
    doors[door] = false;
    const refused = await open(key);
    expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining((first.body as Bottle).secret)]);
  });

  it('leave nothing behind of a call that they refuse: its key can be used again', async () => {
    const key = randomUUID();
    doors.cellars = false;
    expect((await open(key)).status).toBe(403);
    doors.cellars = true;
    expect((await open(key)).status).toBe(201);
  });

  it('run once for a call retried by an interceptor, which stays the same call', async () => {
    const key = randomUUID();
    doors.stuck = 1;
    const first = await open(key);
    expect(first.status).toBe(201);
    expect(await open(key)).toMatchObject({ status: 201, text: first.text });
  });
});
