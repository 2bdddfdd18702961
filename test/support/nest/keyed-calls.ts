import { Readable } from 'node:stream';
import {
  Catch,
  HttpException,
  Module,
  Param,
  Post,
  Res,
  StreamableFile,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Response } from 'express';
import { Observable } from 'rxjs';
import { Dashboard, Environment, type EnvironmentId } from '../../../src/auth/index.js';
import { StringField } from '../../../src/common/fields/index.js';
import { ApiController, Operation, Returns } from '../../../src/common/http/operation.js';
import { scopedStatement, UnitOfWork } from '../../../src/database/index.js';
import { CallWork, type Work } from '../../../src/idempotency/index.js';

/** The table that these handlers write to: one row each time something was done. */
export const DONE_TABLE = `CREATE TABLE done (environment_id uuid NOT NULL, name text NOT NULL)`;

const DO = scopedStatement('planted.do', 'INSERT INTO done (environment_id, name) SELECT $1, $2');

class Done {
  @StringField()
  name!: string;
}

/** A filter like many teams have: turns every error into their own format. */
@Catch()
class OwnWords implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof HttpException) response.status(error.getStatus()).json(error.getResponse());
    else response.status(418).json({ ours: true });
  }
}

/** Named gates to wait for. */
class Gates {
  private readonly waiting = new Map<string, (() => void)[]>();

  wait(name: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(name, [...(this.waiting.get(name) ?? []), resolve]));
  }

  count(name: string): number {
    return this.waiting.get(name)?.length ?? 0;
  }

  open(name: string): void {
    for (const resolve of this.waiting.get(name) ?? []) resolve();
    this.waiting.delete(name);
  }
}

export const gates = new Gates();

const idempotent = (id: string): MethodDecorator =>
  Operation({ id, summary: id, errors: [400, 401, 403, 404], idempotent: true });
const ForTokens = (): MethodDecorator => Dashboard({ scope: 'environment.users.write', role: 'developer' });
const forever = (): Promise<never> => new Promise(() => undefined);

/** Every way in which a Nest handler can end, or not end, after it has done something. */
@ApiController('environments/:environmentId/ends', 'Ends')
class EndsController {
  constructor(private readonly work: UnitOfWork) {}

  @Post('returned/:name')
  @idempotent('endsReturned')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async returned(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    return { name };
  }

  @Post('filter/:name')
  @idempotent('endsFilter')
  @ForTokens()
  @UseFilters(OwnWords)
  @Returns(Done, { status: 201 })
  async filter(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    if (name.startsWith('bad')) throw new Error('on purpose');
    return { name };
  }

  @Post('exception/:name')
  @idempotent('endsException')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async exception(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    throw new HttpException('on purpose', 404);
  }

  @Post('by-hand/:name')
  @idempotent('endsByHand')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async byHand(
    @Environment() environmentId: EnvironmentId,
    @Param('name') name: string,
    @CallWork() work: Work,
    @Res() response: Response,
  ) {
    await this.do(environmentId, name, work);
    response.status(201).json({ name });
  }

  @Post('refused-by-hand/:name')
  @idempotent('endsRefusedByHand')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async refusedByHand(
    @Environment() environmentId: EnvironmentId,
    @Param('name') name: string,
    @CallWork() work: Work,
    @Res() response: Response,
  ) {
    await this.do(environmentId, name, work);
    response.writeHead(409, { 'Content-Type': 'application/json' }).end('{}');
  }

  @Post('stream/:name')
  @idempotent('endsStream')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async stream(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    const parts = ['{"name":', JSON.stringify(name), '}'].map((part) => Buffer.from(part));
    return new StreamableFile(Readable.from(parts), { type: 'application/json' });
  }

  @Post('file/:name')
  @idempotent('endsFile')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async file(
    @Environment() environmentId: EnvironmentId,
    @Param('name') name: string,
    @CallWork() work: Work,
    @Res() response: Response,
  ) {
    await this.do(environmentId, name, work);
    response.type('text/csv').send(`name\n${name}\n`);
  }

  @Post('cut/:name')
  @idempotent('endsCut')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async cut(
    @Environment() environmentId: EnvironmentId,
    @Param('name') name: string,
    @CallWork() work: Work,
    @Res() response: Response,
  ) {
    await this.do(environmentId, name, work);
    response.destroy();
  }

  @Post('late/:name')
  @idempotent('endsLate')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async late(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    await gates.wait('late');
    return { name };
  }

  @Post('observed/:name')
  @idempotent('endsObserved')
  @ForTokens()
  @Returns(Done, { status: 201 })
  observed(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    return new Observable<Done>(() => {
      void this.do(environmentId, name, work).then(() => gates.wait('observed'));
    });
  }

  @Post('silent/:name')
  @idempotent('endsSilent')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async silent(
    @Environment() environmentId: EnvironmentId,
    @Param('name') name: string,
    @CallWork() work: Work,
    @Res() _response: Response,
  ) {
    await this.do(environmentId, name, work);
    void gates.wait('silent');
  }

  @Post('never/:name')
  @idempotent('endsNever')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async never(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    return forever();
  }

  @Post('never-in-a-unit/:name')
  @idempotent('endsNeverInUnit')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async neverInUnit(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await work.run(async (tx) => {
      await tx.execute(DO, [environmentId, name]);
      await forever();
    });
    return { name };
  }

  @Post('too-late/:name')
  @idempotent('endsTooLate')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async tooLate(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    await gates.wait('too-late');
    await this.do(environmentId, `${name} again`, work);
    return { name };
  }

  /** A planted mistake: half of the work is done in a separate transaction. */
  @Post('forgetful/:name')
  @idempotent('endsForgetful')
  @ForTokens()
  @Returns(Done, { status: 201 })
  async forgetful(@Environment() environmentId: EnvironmentId, @Param('name') name: string, @CallWork() work: Work) {
    await this.do(environmentId, name, work);
    await this.do(environmentId, `${name} again`, this.work);
    return { name };
  }

  private async do(environmentId: EnvironmentId, name: string, work: Work): Promise<void> {
    await work.run((tx) => tx.execute(DO, [environmentId, name]));
  }
}

@Module({ controllers: [EndsController] })
export class EndsModule {}

/** Takes a key but does not take the call's work. */
@ApiController('environments/:environmentId/unasked', 'Ends')
class UnaskedController {
  @Post()
  @idempotent('endsUnasked')
  @ForTokens()
  @Returns(Done, { status: 201 })
  unasked() {
    return { name: 'unasked' };
  }
}

@Module({ controllers: [UnaskedController] })
export class UnaskedModule {}
