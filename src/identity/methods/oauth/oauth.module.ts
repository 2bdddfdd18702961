import { Module } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { fieldsOf } from '../../../common/fields/index.js';
import { API_PREFIX } from '../../../common/http/operation.js';
import { EnvironmentsModule } from '../../../environments/index.js';
import { ProvidersModule } from '../../../providers/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { formBody } from './form-body.js';
import { OauthAnswers } from './oauth-answers.service.js';
import { OauthAttempt } from './oauth-attempt.entity.js';
import { OauthAttempts } from './oauth-attempts.service.js';
import { OauthAttemptsPurge } from './oauth-attempts-purge.job.js';
import { OauthAttemptsRepository } from './oauth-attempts.repository.js';
import { OauthController } from './oauth.controller.js';
import { OauthCallbackForm } from './oauth.dto.js';
import { OauthMethod } from './oauth.method.js';
import { OauthSignIn } from './oauth-sign-in.service.js';
import { OauthVisitsController } from './oauth-visits.controller.js';
import { OauthVisits } from './oauth-visits.service.js';

const FORM_PATH = `/${API_PREFIX}/sdk/:environmentId/providers/apple/redirect`;

/** Sign-in by an account at a social provider. */
@Module({
  imports: [ProvidersModule, EnvironmentsModule, FlowsModule, TypeOrmModule.forFeature([OauthAttempt])],
  controllers: [OauthController, OauthVisitsController],
  providers: [
    OauthAnswers,
    OauthAttempts,
    OauthAttemptsPurge,
    OauthAttemptsRepository,
    OauthMethod,
    OauthSignIn,
    OauthVisits,
  ],
})
export class OauthModule {
  constructor({ httpAdapter }: HttpAdapterHost) {
    // A context without a server, such as that of a command, receives no forms.
    const server = httpAdapter as AbstractHttpAdapter | null;
    // Here, because modules are made before the application adds its JSON reader, which would refuse a form.
    server?.use(FORM_PATH, ...formBody(fieldsOf(OauthCallbackForm).map(({ key }) => key)));
  }
}
