import { Get, Query } from '@nestjs/common';
import { Dashboard, Environment, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { Event, EventsResponse, GetEventsQuery } from './event.dto.js';
import { EventsService } from './events.service.js';

@ApiController('environments/:environmentId/events', 'Events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation({
    id: 'getEvents',
    summary: "List an environment's events, newest first",
    limits: ['50 events per page'],
  })
  @Dashboard({ scope: 'environment.events.read', role: 'viewer' })
  @Returns(EventsResponse)
  getEvents(@Environment() environmentId: EnvironmentId, @Query() query: GetEventsQuery) {
    return this.events.list(environmentId, query);
  }

  @Get(':eventId')
  @Operation({ id: 'getEventById', summary: 'Read one event' })
  @Dashboard({ scope: 'environment.events.read', role: 'viewer' })
  @Returns(Event)
  getEventById(@Environment() environmentId: EnvironmentId, @IdParam('eventId') id: string) {
    return this.events.get(environmentId, id);
  }
}
