import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../../../environments/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { ExternalAuthController } from './external-auth.controller.js';
import { ExternalAuth } from './external-auth.service.js';
import { ExternalTokenMethod } from './external-token.method.js';

/** Sign-in with a token of the customer's own identity provider. */
@Module({
  imports: [EnvironmentsModule, FlowsModule],
  controllers: [ExternalAuthController],
  providers: [ExternalAuth, ExternalTokenMethod],
})
export class ExternalTokenModule {}
