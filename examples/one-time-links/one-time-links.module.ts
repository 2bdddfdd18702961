import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../../src/identity/index.js';
import { OneTimeLinkRow } from './one-time-link.entity.js';
import { OneTimeLinkMethod } from './one-time-link.method.js';
import { OneTimeLinkSignInController, OneTimeLinksController } from './one-time-links.controller.js';
import { OneTimeLinksPurge } from './one-time-links-purge.job.js';
import { OneTimeLinksRepository } from './one-time-links.repository.js';
import { OneTimeLinksService } from './one-time-links.service.js';

/** Sign-in by a link that the team's server hands to one person. */
@Module({
  imports: [TypeOrmModule.forFeature([OneTimeLinkRow]), IdentityModule],
  controllers: [OneTimeLinksController, OneTimeLinkSignInController],
  providers: [OneTimeLinkMethod, OneTimeLinksPurge, OneTimeLinksRepository, OneTimeLinksService],
})
export class OneTimeLinksModule {}
