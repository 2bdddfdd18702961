import { Get } from '@nestjs/common';
import { Dashboard } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { EventType } from './event.dto.js';
import { EventsService } from './events.service.js';

@ApiController('eventTypes', 'Events')
export class EventTypesController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation({ id: 'getEventTypes', summary: 'List the events that a webhook can subscribe to' })
  @Dashboard({ scope: 'environment.events.read', role: 'viewer' })
  @Returns(EventType, { list: true })
  getEventTypes() {
    return this.events.listTypes();
  }
}
