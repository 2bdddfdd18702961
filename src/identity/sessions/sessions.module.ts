import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { UsersModule } from '../users/users.module.js';
import { CookieGuard } from './cookie-guard.js';
import { EndUserStrategy } from './end-user.strategy.js';
import { LiveSessions } from './live-sessions.js';
import { PurposeTokens } from './purpose-tokens.js';
import { ServiceSessions } from './service-sessions.js';
import { SessionAuthenticator } from './session-authenticator.js';
import { SessionCuts } from './session-cuts.js';
import { SessionEndings } from './session-endings.js';
import { SessionIssuer } from './session-issuer.js';
import { SessionOwner } from './session-owner.js';
import { SessionTokens } from './session-tokens.js';
import { Session } from './session.entity.js';
import { SessionsPurge } from './sessions-purge.job.js';
import { SessionsRepository } from './sessions.repository.js';
import { TestAccountSessions } from './test-account-sessions.js';
import { TokenSigner } from './token-signer.js';
import {
  LegacyUserSessionsController,
  SessionController,
  UserSessionController,
  UserSessionsController,
} from './user-sessions.controller.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { UserSessionsService } from './user-sessions.service.js';

/** Sessions and their tokens. */
@Module({
  imports: [
    EnvironmentsModule,
    OrganizationsModule,
    JwtModule.register({}),
    TypeOrmModule.forFeature([Session]),
    UsersModule,
  ],
  controllers: [UserSessionsController, LegacyUserSessionsController, UserSessionController, SessionController],
  providers: [
    SessionsRepository,
    SessionsPurge,
    LiveSessions,
    SessionIssuer,
    SessionCuts,
    SessionEndings,
    SessionOwner,
    SessionTokens,
    TokenSigner,
    PurposeTokens,
    ServiceSessions,
    SessionAuthenticator,
    CookieGuard,
    EndUserStrategy,
    UserSessionsRepository,
    UserSessionsService,
    TestAccountSessions,
  ],
  exports: [
    SessionsRepository,
    SessionIssuer,
    SessionCuts,
    SessionEndings,
    SessionTokens,
    SessionAuthenticator,
    TokenSigner,
    PurposeTokens,
    ServiceSessions,
  ],
})
export class SessionsModule {}
