import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../../organizations/index.js';
import { PagesModule } from '../../../pages/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { SignInLinkController } from './sign-in-link.controller.js';
import { SignInLinkRow } from './sign-in-link.entity.js';
import { SignInLinkMethod } from './sign-in-link.method.js';
import { SignInLinksPurge } from './sign-in-links-purge.job.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';
import { SignInLinks } from './sign-in-links.service.js';

/** Sign-in with a link that the operator creates for a member, without email. */
@Module({
  imports: [OrganizationsModule, PagesModule, TypeOrmModule.forFeature([SignInLinkRow]), FlowsModule],
  controllers: [SignInLinkController],
  providers: [SignInLinkMethod, SignInLinks, SignInLinksPurge, SignInLinksRepository],
  exports: [SignInLinks],
})
export class SignInLinkModule {}
