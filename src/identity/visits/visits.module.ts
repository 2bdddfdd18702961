import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Visitor } from './visitor.entity.js';
import { VisitorsRepository } from './visitors.repository.js';
import { VisitsController } from './visits.controller.js';
import { VisitsService } from './visits.service.js';

/** Wallets that connected without signing in. */
@Module({
  imports: [TypeOrmModule.forFeature([Visitor])],
  controllers: [VisitsController],
  providers: [VisitsService, VisitorsRepository],
})
export class VisitsModule {}
