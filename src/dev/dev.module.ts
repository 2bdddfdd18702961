import { Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PagesModule } from '../pages/index.js';
import { ProvidersModule } from '../providers/index.js';
import { CatcherSecrets } from './catcher-secrets.js';
import { CatcherController } from './catcher.controller.js';
import { Catcher } from './catcher.js';
import { InboxController } from './inbox.controller.js';
import { Quickstarts } from './quickstarts.repository.js';
import { CATCHER_PATH } from './catcher-path.js';
import { rawBody } from '../common/http/raw-body.js';

/** Pages for people who develop with the service. Loaded in development alone. */
@Module({
  imports: [PagesModule, ProvidersModule],
  controllers: [InboxController, CatcherController],
  providers: [Catcher, CatcherSecrets, Quickstarts],
  exports: [CatcherSecrets, Quickstarts],
})
export class DevModule {
  constructor(host: HttpAdapterHost) {
    // Here, because modules are made before the application adds its JSON reader, which would swallow the bytes.
    host.httpAdapter.use(`/${CATCHER_PATH}`, ...rawBody());
  }
}
