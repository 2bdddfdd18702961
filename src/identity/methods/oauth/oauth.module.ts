import { Module } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { fieldsOf } from '../../../common/fields/index.js';
import { API_PREFIX } from '../../../common/http/operation.js';
import { EnvironmentsModule } from '../../../environments/index.js';
import { OrganizationsModule } from '../../../organizations/index.js';
import { ProvidersModule } from '../../../providers/index.js';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { formBody } from './form-body.js';
import { OauthAnswers } from './oauth-answers.service.js';
import { OauthAttempt } from './oauth-attempt.entity.js';
import { OauthAttempts } from './oauth-attempts.service.js';
import { OauthAttemptsPurge } from './oauth-attempts-purge.job.js';
import { OauthAttemptsRepository } from './oauth-attempts.repository.js';
import { OauthController } from './oauth.controller.js';
import { OauthCallbackForm } from './oauth.dto.js';
import { OauthPeers } from './oauth-peers.js';
import { OauthMethod } from './oauth.method.js';
import { OauthSignIn } from './oauth-sign-in.service.js';
import { OauthVisitsController } from './oauth-visits.controller.js';
import { OauthAccountOwner } from './tokens/oauth-account-owner.js';
import { OauthToken } from './tokens/oauth-token.entity.js';
import { OauthTokenStore } from './tokens/oauth-token-store.js';
import { OauthTokensController } from './tokens/oauth-tokens.controller.js';
import { OauthTokensRepository } from './tokens/oauth-tokens.repository.js';
import { OauthTokens } from './tokens/oauth-tokens.service.js';
import { OwnOauthTokensController } from './tokens/own-oauth-tokens.controller.js';
import { SealedTokenRows } from './tokens/sealed-token-rows.js';
import { SealedTokenRowsRepository } from './tokens/sealed-token-rows.repository.js';
import { SealedTokens } from './tokens/sealed-tokens.js';
import { OauthVisits } from './oauth-visits.service.js';

const FORM_PATH = `/${API_PREFIX}/sdk/:environmentId/providers/apple/redirect`;

const TOKENS = [
  OauthAccountOwner,
  OauthTokenStore,
  OauthTokens,
  OauthTokensRepository,
  SealedTokenRows,
  SealedTokenRowsRepository,
  SealedTokens,
];

/** Sign-in with an account at a social provider. */
@Module({
  imports: [
    ProvidersModule,
    OrganizationsModule,
    EnvironmentsModule,
    CredentialsModule,
    FlowsModule,
    TypeOrmModule.forFeature([OauthAttempt, OauthToken]),
  ],
  controllers: [OauthController, OauthVisitsController, OauthTokensController, OwnOauthTokensController],
  providers: [
    OauthAnswers,
    OauthAttempts,
    OauthAttemptsPurge,
    OauthAttemptsRepository,
    OauthMethod,
    OauthPeers,
    OauthSignIn,
    OauthVisits,
    ...TOKENS,
  ],
  exports: [OauthTokens],
})
export class OauthModule {
  constructor({ httpAdapter }: HttpAdapterHost) {
    // An application context without a server, such as a CLI command's, receives no forms.
    const server = httpAdapter as AbstractHttpAdapter | null;
    // Here, because modules are created before the application adds its JSON parser, which would reject a form.
    server?.use(FORM_PATH, ...formBody(fieldsOf(OauthCallbackForm).map(({ key }) => key)));
  }
}
