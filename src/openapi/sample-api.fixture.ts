import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { Dashboard, Environment, Page, Public, RATE_RULES, RateLimited } from '../auth/index.js';
import type { EnvironmentId } from '../auth/index.js';
import {
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  UuidField,
  defineEnum,
} from '../common/fields/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';

const COLOURS = defineEnum('ColourEnum', ['red', 'green']);

export class Hinge {
  @UuidField()
  id!: string;
}

export class Door {
  @UuidField()
  id!: string;

  @EnumField(COLOURS, { optional: true, nullable: true })
  colour?: 'red' | 'green' | null;

  @RefField(() => Hinge, { nullable: true })
  mainHinge!: Hinge | null;

  @ListField(() => Hinge)
  hinges!: Hinge[];
}

export class NewDoor {
  @StringField({ max: 20, nullable: true })
  name!: string | null;

  @EnumField(COLOURS, { optional: true, description: 'Of the lock.' })
  lock?: 'red' | 'green';
}

export class DoorQuery {
  @IntegerField({ optional: true, min: 1, max: 100 })
  limit?: number;
}

@ApiController('environments/:environmentId/doors', 'Webhooks')
export class DoorsController {
  @Post()
  @Operation({
    id: 'addDoor',
    summary: 'Add a door',
    description: 'Doors start shut.',

    events: ['door.added'],
    limits: ['100 doors per environment'],
  })
  @Dashboard({ scope: 'environment.webhooks.write', role: 'developer' })
  @Returns(Door, { status: 201 })
  add(@Environment() _environmentId: EnvironmentId, @Body() _door: NewDoor): void {}

  @Get(':doorId/of/:colour')
  @Operation({ id: 'getDoor', summary: 'Read a door' })
  @Public()
  @RateLimited(RATE_RULES.visit)
  @Returns(Door)
  get(@Environment() _environmentId: EnvironmentId, @IdParam('doorId') _id: string, @Query() _query: DoorQuery): void {}
}

@ApiController('attic', 'Attic')
export class AtticController {
  @Post()
  @Operation({ id: 'openAttic', summary: 'Open the attic' })
  @Dashboard({ scope: null, role: 'admin' })
  @ReturnsNothing()
  open(): void {}

  @Get()
  @Operation({ id: 'seeAttic', summary: 'See the attic' })
  @Dashboard({ scope: 'any', role: 'viewer' })
  @ReturnsNothing()
  see(): void {}
}

@Page()
@Controller('porch')
export class PorchController {
  @Get()
  show(): string {
    return '';
  }
}

/** A small API that uses every feature of the document. */
@Module({ controllers: [DoorsController, AtticController, PorchController] })
export class SampleModule {}
