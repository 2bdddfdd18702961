import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PagesModule } from '../pages/index.js';
import { ProvidersModule } from '../providers/index.js';
import { CatcherSecrets } from './catcher-secrets.js';
import { CatcherController } from './catcher.controller.js';
import { Catcher } from './catcher.js';
import { DemoRemoval } from './demo-removal.middleware.js';
import { DevelopmentIdentity, IDENTITY_PATH } from './identity/development-identity.js';
import { FrontController } from './front.controller.js';
import { IdentityController } from './identity/identity.controller.js';
import { ImitatedMessagingController } from './identity/messaging.controller.js';
import { InboxController } from './inbox.controller.js';
import { QuickstartProjectsRepository } from './quickstart-projects.repository.js';
import { Quickstarts } from './quickstarts.js';
import { MailsController } from './mails/mails.controller.js';
import { DevelopmentAppController } from './app/app.controller.js';
import { CATCHER_PATH } from './catcher-path.js';
import { API_PREFIX } from '../common/http/operation.js';
import { rawBody } from '../common/http/raw-body.js';

/** Pages for developers. Loaded only in development. */
@Module({
  imports: [PagesModule, ProvidersModule],
  controllers: [
    FrontController,
    InboxController,
    MailsController,
    CatcherController,
    IdentityController,
    ImitatedMessagingController,
    DevelopmentAppController,
  ],
  providers: [Catcher, CatcherSecrets, DevelopmentIdentity, QuickstartProjectsRepository, Quickstarts],
  exports: [CatcherSecrets, Quickstarts],
})
export class DevModule implements NestModule {
  constructor(host: HttpAdapterHost) {
    host.httpAdapter.use(`/${IDENTITY_PATH}/token`, ...rawBody());
    // Registered here, before the application adds its JSON parser, which would consume the raw bytes.
    host.httpAdapter.use(`/${CATCHER_PATH}`, ...rawBody());
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(DemoRemoval).forRoutes({ path: `${API_PREFIX}/projects/:projectId`, method: RequestMethod.DELETE });
  }
}
