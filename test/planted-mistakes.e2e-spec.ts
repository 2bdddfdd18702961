import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Get, Module, Post, Body } from '@nestjs/common';
import { ProjectingAdapter } from '../src/common/http/projecting.adapter.js';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../src/app.module.js';
import { Dashboard, Environment, Organization, Public, type EnvironmentId, type Role } from '../src/auth/index.js';
import { ListField, RefField, StringField } from '../src/common/fields/index.js';
import { receiveRequests } from '../src/common/http/receive-requests.js';
import { ApiController, Operation, Returns } from '../src/common/http/operation.js';
import { MembersController } from '../src/organizations/members/members.controller.js';
import { parseKeyRing } from '../src/vault/index.js';
import { startTestApp, type TestApp } from './support/app.js';
import { joined } from './support/invites.js';
import { refusedLate } from './support/suites/access.js';
import { faultsOfRefusal } from './support/surface/error-answer.js';
import { RawClient } from './support/surface/raw-client.js';
import { World } from './support/world.js';

const SECRET = 'a secret that no answer may hold';

class Part {
  @StringField()
  name!: string;
}

class Answer {
  @StringField()
  name!: string;

  @RefField(() => Part)
  part!: Part;

  @ListField(() => Part)
  parts!: Part[];
}

class Request {
  @StringField({ optional: true })
  name?: string;

  /** Nobody said what it may be. */
  undeclared?: string;
}

const row = (): Answer =>
  Object.assign(new Answer(), {
    name: 'shown',
    secret: SECRET,
    part: { name: 'shown', secret: SECRET },
    parts: [{ name: 'shown', secret: SECRET, inner: { secret: SECRET } }],
    toJSON: () => ({ secret: SECRET }),
  });

/** Handlers as a hurried author might leave them. */
@ApiController('environments/:environmentId/planted', 'Planted')
class PlantedController {
  @Get('too-much')
  @Operation({ id: 'plantedTooMuch', summary: 'Answers a whole row' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(Answer)
  tooMuch(@Environment() _environmentId: EnvironmentId) {
    return row();
  }

  @Get('too-many')
  @Operation({ id: 'plantedTooMany', summary: 'Answers whole rows' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(Answer, { list: true })
  tooMany() {
    return [row(), row()];
  }

  @Get('open')
  @Operation({ id: 'plantedOpen', summary: 'Says nothing of its callers' })
  @Returns(Answer)
  open() {
    return row();
  }

  @Get('broken')
  @Operation({ id: 'plantedBroken', summary: 'Fails with more than it should tell' })
  @Public()
  @Returns(Answer)
  broken() {
    throw new Error(`${SECRET}: SELECT * FROM users WHERE id = $1`);
  }

  @Get('elsewhere')
  @Operation({ id: 'plantedElsewhere', summary: 'Asks for a scope that its path does not have' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(Answer)
  elsewhere(@Organization() _organizationId: string) {
    return row();
  }

  @Post('careless')
  @Operation({ id: 'plantedCareless', summary: 'Takes a field without a rule' })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(Part, { status: 201 })
  careless(@Body() request: Request) {
    return { name: `${request.undeclared}` };
  }
}

@ApiController('organizations/:organizationId/planted', 'Planted')
class PlantedAboveController {
  @Get()
  @Operation({ id: 'plantedAbove', summary: 'Admits tokens of environments to an organization' })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(Answer)
  above() {
    return row();
  }
}

describe('a mistake in a handler', () => {
  let test: TestApp;
  let planted: NestExpressApplication;
  let world: World;
  let client: RawClient;
  let start: (adapter: ExpressAdapter) => Promise<{ app: NestExpressApplication; client: RawClient }>;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);

    @Module({
      imports: [AppModule.forRoot({ config: test.config, vault: parseKeyRing(test.masterKey) })],
      controllers: [PlantedController, PlantedAboveController],
    })
    class Planted {}

    start = async (adapter) => {
      const app = await NestFactory.create<NestExpressApplication>(Planted, adapter, {
        bodyParser: false,
        logger: false,
      });
      app.use(receiveRequests());
      await app.listen(0, '127.0.0.1');
      const { port } = app.getHttpServer().address() as { port: number };
      return { app, client: new RawClient(`http://127.0.0.1:${port}`) };
    };
    ({ app: planted, client } = await start(new ProjectingAdapter()));
  });

  afterAll(async () => {
    client.close();
    await planted.close();
    await test.close();
  });

  const call = (name: string, token: string | null = world.token) =>
    client.send({ method: 'GET', path: `/api/v0${world.path(`/planted/${name}`)}`, token });

  const shown = { name: 'shown', part: { name: 'shown' }, parts: [{ name: 'shown' }] };

  it.each([
    ['a row with more than is declared', 'too-much', shown],
    ['a list of such rows', 'too-many', [shown, shown]],
  ])('that answers %s shows the declared fields alone', async (_title, name, expected) => {
    const answer = await call(name);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(expected);
    expect(answer.text).not.toContain(SECRET);
  });

  it('that asks for too low a role is found, although its service refuses as well', async () => {
    const { prototype } = MembersController;
    const plant = (role: Role) =>
      Dashboard({ scope: null, role })(
        prototype,
        'updateMemberRole',
        Object.getOwnPropertyDescriptor(prototype, 'updateMemberRole')!,
      );
    const { client: developer } = await joined(world, 'developer');
    const list = `/organizations/${world.ids.organizationId}/members`;
    const { body } = await world.owner.get<{ members: { id: string; role: Role }[] }>(list, { expect: 200 });
    const memberId = body.members.find(({ role }) => role === 'developer')!.id;
    const answer = async () => {
      const sent = await developer.put<object>(`/members/${memberId}`, { role: 'viewer' });
      return refusedLate({ status: sent.status, body: sent.body });
    };
    try {
      expect(await answer()).toBe(false);
      plant('developer');
      expect(await answer()).toBe(true);
    } finally {
      plant('admin');
    }
  });

  it('that declares no access answers nobody', async () => {
    for (const token of [world.token, world.ownerToken, null]) {
      const answer = await call('open', token);
      expect(answer.status).toBe(403);
      expect(faultsOfRefusal(answer)).toEqual([]);
    }
  });

  it.each([
    ['throws an error that tells too much', 'broken'],
    ['asks for a scope that its path does not have', 'elsewhere'],
  ])('that %s answers with the request id alone', async (_title, name) => {
    const answer = await call(name);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: expect.any(String),
      code: 'internal_error',
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.text).not.toMatch(/secret|SELECT|Error:|environment/i);
  });

  it('that admits tokens to an organization admits members alone, whichever organization it is', async () => {
    const path = `/api/v0/organizations/${world.ids.organizationId}/planted`;
    const statuses = [world.ownerToken, world.token].map(
      async (token) => (await client.send({ method: 'GET', path, token })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });

  it('that has a field without a rule does not receive it', async () => {
    const request = { method: 'POST', path: `/api/v0${world.path('/planted/careless')}`, token: world.token };
    const answer = await client.send({ ...request, body: JSON.stringify({ undeclared: 'x' }) });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ payload: { fields: [{ field: 'undeclared' }] } });
  });

  it('in an application that would send rows as they are does not run', async () => {
    const careless = await start(new ExpressAdapter());
    const path = `/api/v0${world.path('/planted/too-much')}`;
    const answer = await careless.client.send({ method: 'GET', path, token: world.token });
    careless.client.close();
    await careless.app.close();
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain(SECRET);
  });
});
