import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientEventCount } from './client-event-count.entity.js';
import { ClientEventsController } from './client-events.controller.js';
import { ClientEventsPurge } from './client-events-purge.job.js';
import { ClientEventsRepository } from './client-events.repository.js';
import { ClientEvents } from './client-events.service.js';
import { VisitDay, VisitorCount } from './visit-count.entities.js';
import { VisitorListRepository } from './visitor-list.repository.js';
import { Visitor } from './visitor.entity.js';
import { VisitorsPurge } from './visitors-purge.job.js';
import { VisitorCountsController, VisitorsController } from './visitors.controller.js';
import { VisitorsRepository } from './visitors.repository.js';
import { VisitorsService } from './visitors.service.js';
import { VisitsController } from './visits.controller.js';
import { VisitsService } from './visits.service.js';

/** Reports from pages before sign-in, such as connected wallets and events, and customers' view of them. */
@Module({
  imports: [TypeOrmModule.forFeature([Visitor, VisitorCount, VisitDay, ClientEventCount])],
  controllers: [VisitsController, VisitorsController, VisitorCountsController, ClientEventsController],
  providers: [
    ...[VisitsService, VisitorsRepository, VisitorsService, VisitorListRepository, VisitorsPurge],
    ...[ClientEvents, ClientEventsRepository, ClientEventsPurge],
  ],
  exports: [ClientEvents],
})
export class VisitsModule {}
