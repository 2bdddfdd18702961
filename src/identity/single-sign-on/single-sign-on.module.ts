import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../organizations/index.js';
import { FlowsModule } from '../flows/flows.module.js';
import { SingleSignOnCheck } from './single-sign-on.check.js';
import { SingleSignOn } from './single-sign-on.js';

/** Enforcement of an organization's own identity provider. */
@Module({
  imports: [OrganizationsModule, FlowsModule],
  providers: [SingleSignOn, SingleSignOnCheck],
  exports: [SingleSignOn],
})
export class SingleSignOnModule {}
