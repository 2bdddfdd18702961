import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientEventCount } from './client-event-count.entity.js';
import { ClientEventsController } from './client-events.controller.js';
import { ClientEventsPurge } from './client-events-purge.job.js';
import { ClientEventsRepository } from './client-events.repository.js';
import { ClientEvents } from './client-events.service.js';
import { Visitor } from './visitor.entity.js';
import { VisitorsRepository } from './visitors.repository.js';
import { VisitsController } from './visits.controller.js';
import { VisitsService } from './visits.service.js';

/** What pages tell without anybody signing in: wallets that connected, things that happened. */
@Module({
  imports: [TypeOrmModule.forFeature([Visitor, ClientEventCount])],
  controllers: [VisitsController, ClientEventsController],
  providers: [VisitsService, VisitorsRepository, ClientEvents, ClientEventsRepository, ClientEventsPurge],
})
export class VisitsModule {}
