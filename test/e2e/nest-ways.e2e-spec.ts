import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BullModule } from '@nestjs/bull';
import {
  ConflictException,
  Controller,
  Get,
  HttpException,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Res,
  Sse,
  StreamableFile,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Response } from 'express';
import { EMPTY, type Observable } from 'rxjs';
import { Dashboard, EndUser, Page, Public } from '../../src/auth/index.js';
import { StringField } from '../../src/common/fields/index.js';
import { ApiController, Operation, Returns } from '../../src/common/http/operation.js';
import { CallWork, type Work } from '../../src/idempotency/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { RawClient } from '../support/surface/raw-client.js';
import { World } from '../support/world.js';

const SAID = 'The till is closed.';

class Till {
  @StringField()
  name!: string;
}

@ApiController('environments/:environmentId/tills', 'Tills')
class TillsController {
  @Get(':status')
  @Operation({ id: 'getTill', summary: 'A till' })
  @Public()
  @Returns(Till)
  get(@Param('status', ParseIntPipe) status: number): Till {
    throw status === 499 ? new ConflictException() : new HttpException(SAID, status);
  }

  @Get('named/so')
  @Operation({ id: 'findTill', summary: 'A till by its name' })
  @Public()
  @Returns(Till)
  find(@Query('name') name: string): Till {
    return { name };
  }

  @Post('moved')
  @Operation({ id: 'moveTill', summary: 'Elsewhere', idempotent: true })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(Till, { status: 201 })
  move(@CallWork() _work: Work, @Res() response: Response): void {
    response.redirect('/healthz');
  }

  @Post('opened')
  @Operation({ id: 'openTill', summary: 'Open', idempotent: true })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(Till, { status: 201 })
  open(@CallWork() _work: Work, @Res({ passthrough: true }) response: Response): Till {
    response.setHeader('X-Till', '7');
    return { name: 'seven' };
  }
}

@Controller('slips')
class SlipsController {
  @Get('lost')
  @Page()
  lost(): StreamableFile {
    return lostFile();
  }

  @Get('explained')
  @Page()
  explained(): StreamableFile {
    return lostFile().setErrorHandler((_, response) => {
      response.statusCode = 410;
      response.send(SAID);
    });
  }
}

const lostFile = (): StreamableFile =>
  new StreamableFile(createReadStream('/nowhere/slip.pdf'), { disposition: 'attachment', length: 7 });

@Controller('plain')
class PlainController {
  @Get('page')
  @Page()
  page(): object {
    return { hello: 'world' };
  }

  @Get('public')
  @Public()
  public(): object {
    return { hello: 'world' };
  }
}

@ApiController('environments/:environmentId/bells', 'Tills')
class BellsController {
  @Sse('rung')
  @Operation({ id: 'hearBells', summary: 'Bells' })
  @Public()
  @Returns(Till)
  rung(): Observable<never> {
    return EMPTY;
  }
}

@ApiController('sdk/:environmentId/coins', 'Tills')
class CoinsController {
  @Post()
  @Operation({ id: 'insertCoin', summary: 'A coin', idempotent: true })
  @EndUser()
  @Returns(Till, { status: 201 })
  insert(@CallWork() _work: Work): Till {
    return { name: 'coin' };
  }

  @Post('found')
  @Operation({ id: 'findCoin', summary: 'A coin of nobody', idempotent: true })
  @Public()
  @Returns(Till, { status: 201 })
  find(@CallWork() _work: Work): Till {
    return { name: 'coin' };
  }
}

@ApiController('safes', 'Tills')
class SafesController {
  @Get()
  @Operation({ id: 'listSafes', summary: 'Safes' })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(Till)
  list(): Till {
    return { name: 'safe' };
  }

  @Post()
  @Operation({ id: 'openSafes', summary: 'All of them' })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(Till, { status: 201 })
  open(): Till {
    return { name: 'safe' };
  }

  @Get(':tenantId{/:environmentId}')
  @Operation({ id: 'getSafes', summary: 'Those of one, which is named by another word' })
  @Dashboard({ scope: null, role: 'developer' })
  @Returns(Till)
  get(): Till {
    return { name: 'safe' };
  }

  @Get('of/:organizationId')
  @Operation({ id: 'getSafesOf', summary: 'Those of one' })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(Till)
  getOf(): Till {
    return { name: 'safe' };
  }
}

@Module({ controllers: [TillsController, SlipsController] })
class TillsModule {}

@Module({ controllers: [CoinsController] })
class CoinsModule {}

@ApiController('environments/:environmentId/vaults', 'Tills')
class VaultsController {
  @Post('opened')
  @Operation({ id: 'openTill', summary: 'Another thing', idempotent: true })
  @Dashboard({ scope: 'environment.users.write', role: 'developer' })
  @Returns(Till, { status: 201 })
  open(@CallWork() _work: Work): Till {
    return { name: 'vault' };
  }
}

@Module({ controllers: [SafesController] })
class SafesModule {}

@Module({ controllers: [TillsController, VaultsController] })
class VaultsModule {}

@ApiController('strongrooms', 'Tills')
class StrongroomsController {
  @Post()
  @Operation({ id: 'openStrongroom', summary: 'Of the tenant that the router names' })
  @Dashboard({ scope: null, role: 'owner' })
  @Returns(Till, { status: 201 })
  open(): Till {
    return { name: 'strongroom' };
  }
}

@Module({ controllers: [StrongroomsController] })
class StrongroomsModule {}

@Module({
  imports: [StrongroomsModule, RouterModule.register([{ path: 'of/:organizationId', module: StrongroomsModule }])],
})
class RoutedModule {}

@Module({ controllers: [PlainController] })
class PlainModule {}

@Module({ controllers: [BellsController] })
class BellsModule {}

@Module({ imports: [BullModule.registerQueue({ name: 'tills' })] })
class QueuedModule {}

describe('a team that writes as it would anywhere in Nest', () => {
  let test: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ extensions: [TillsModule], env: { ROLE: 'api' } });
    test.app.useLogger(false);
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await test.close();
  });

  const get = async (what: string | number) => {
    const { status, body } = await client.send({ method: 'GET', path: `/api/v0${world.path(`/tills/${what}`)}` });
    const { error, code } = body as { error: string; code: string };
    return [status, code, error];
  };

  it.each([400, 402, 409, 410, 422, 423])('refuses with an exception of Nest and status %d', async (status) => {
    expect(await get(status)).toEqual([status, 'refused', SAID]);
  });

  it('owns up to a file that it cannot read', async () => {
    const { status, headers, body } = await client.send({ method: 'GET', path: '/slips/lost' });
    expect([status, (body as { code: string }).code]).toEqual([500, 'internal_error']);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['content-disposition']).toBeUndefined();
    const explained = await client.send({ method: 'GET', path: '/slips/explained' });
    expect([explained.status, explained.text]).toEqual([410, SAID]);
  });

  it('finds the codes of the service where the status has one, and its own sentence with it', async () => {
    expect(await get(401)).toEqual([401, 'unauthorized', SAID]);
    expect(await get(403)).toEqual([403, 'forbidden', SAID]);
    expect(await get(404)).toEqual([404, 'not_found', SAID]);
    expect(await get(429)).toEqual([429, 'too_many_requests', SAID]);
  });

  it('is answered in the words of the service where it says nothing, and hears what pipes of Nest say', async () => {
    expect(await get(499)).toEqual([409, 'refused', 'The request was refused.']);
    expect(await get('x')).toEqual([400, 'refused', expect.stringContaining('numeric string')]);
  });

  it('takes one value of a query, and tells whoever sends anything else what is wrong', async () => {
    const ask = (query: string) =>
      client.send({ method: 'GET', path: `/api/v0${world.path(`/tills/named/so?${query}`)}` });
    expect(await ask('name=seven')).toMatchObject({ status: 200, body: { name: 'seven' } });
    const fields = [{ field: 'name', message: 'name must be one value' }];
    expect(await ask('name[a]=seven')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', payload: { fields } },
    });
  });

  it('keeps its own faults from its callers', async () => {
    for (const status of [500, 502, 504])
      expect(await get(status)).toEqual([500, 'internal_error', 'Something went wrong on our side.']);
    expect(await get(503)).toEqual([503, 'service_unavailable', 'The service cannot do this right now.']);
  });

  const post = (what: string, headers: Record<string, string>) =>
    client.send({ method: 'POST', path: `/api/v0${world.path(`/tills/${what}`)}`, token: world.token, headers });

  it('sends a browser elsewhere in a call without a key; with one there is nothing to be answered again', async () => {
    expect((await post('moved', {})).status).toBe(302);
    for (let turn = 0; turn < 2; turn += 1)
      expect((await post('moved', { 'Idempotency-Key': 'one' })).status).toBe(500);
  });

  it('has status and body of the first answer repeated, and not its headers', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, again] = [await post('opened', headers), await post('opened', headers)];
    expect([first.status, first.headers['x-till']]).toEqual([201, '7']);
    expect([again.status, again.text, again.headers['x-till']]).toEqual([201, first.text, undefined]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  const starting = (extension: new () => object) =>
    startTestApp({ databaseUrl: test.databaseUrl, extensions: [extension], env: { ROLE: 'api' } });

  it('hears at the start of a handler that could answer nobody', async () => {
    await expect(starting(PlainModule)).rejects.toThrow(/declares its result.*: PlainController\.public\. /);
  });

  it('hears at the start of an operation that would send events, which nothing projects', async () => {
    await expect(starting(BellsModule)).rejects.toThrow(/@Sse.*: BellsController\.rung\. .*@Page/);
  });

  it('hears at the start of a key that its callers cannot have', async () => {
    await expect(starting(CoinsModule)).rejects.toThrow(
      /@Dashboard.*: CoinsController\.insert, CoinsController\.find\./,
    );
  });

  it('hears at the start of an operation with the id of another one, whose answers a key would bring', async () => {
    await expect(starting(VaultsModule)).rejects.toThrow(/an id that no other one has: VaultsController\.open\./);
  });

  it('hears at the start of a role that no caller would be asked for', async () => {
    await expect(starting(SafesModule)).rejects.toThrow(/role.*: SafesController\.open, SafesController\.get\. /);
  });

  it('has its roles asked where the path of a module names the tenant', async () => {
    await (await starting(RoutedModule)).close();
    await expect(starting(StrongroomsModule)).rejects.toThrow('StrongroomsController.open');
  });

  it('hears at the start of a queue that has no Redis', async () => {
    await expect(starting(QueuedModule)).rejects.toThrow('set REDIS_URL');
  });
});
