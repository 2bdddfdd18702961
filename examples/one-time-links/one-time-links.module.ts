import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../../src/identity/index.js';
import { MovingModule } from '../../src/moving/index.js';
import { OneTimeLinkRow } from './one-time-link.entity.js';
import { OneTimeLinkMethod } from './one-time-link.method.js';
import { OneTimeLinkSignInController, OneTimeLinksController } from './one-time-links.controller.js';
import { OneTimeLinksMoving } from './one-time-links.moving.js';
import { OneTimeLinksPurge } from './one-time-links-purge.job.js';
import { OneTimeLinksRepository } from './one-time-links.repository.js';
import { OneTimeLinksService } from './one-time-links.service.js';

/** Sign-in by a link that the team's server gives to one person. */
@Module({
  imports: [TypeOrmModule.forFeature([OneTimeLinkRow]), IdentityModule, MovingModule],
  controllers: [OneTimeLinksController, OneTimeLinkSignInController],
  providers: [OneTimeLinkMethod, OneTimeLinksMoving, OneTimeLinksPurge, OneTimeLinksRepository, OneTimeLinksService],
})
export class OneTimeLinksModule {}
