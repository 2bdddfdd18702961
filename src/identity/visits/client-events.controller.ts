import { Body, Post } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../../common/http/operation.js';
import { PublishEvents } from './client-events.dto.js';
import { ClientEvents } from './client-events.service.js';

@ApiController('sdk/:environmentId/events', 'Sdk')
export class ClientEventsController {
  constructor(private readonly events: ClientEvents) {}

  @Post()
  @Operation({
    id: 'publishEvent',
    summary: 'Accept a batch of client tracking events',
    description:
      'Counted by name and day for 90 days; operators read the counts with `cli analytics clients`. Neither the visitor nor the properties are stored.',
    limits: ['10 events per call', '500 event names per day; further names are not counted'],
  })
  @Public()
  @ReturnsNothing()
  async publishEvent(@Environment() environmentId: EnvironmentId, @Body() batch: PublishEvents) {
    await this.events.publish(environmentId, batch);
  }
}
