import { Module } from '@nestjs/common';
import { PagesModule } from '../pages/index.js';
import { ApiDocument } from './api-document.js';
import { Demo } from './demo.js';
import { DocsController } from './docs.controller.js';
import { ErrorPagesController } from './error-pages.controller.js';

/** `/docs`, `/openapi.json` and a page for each error. Loaded when API_DOCS is on. */
@Module({
  imports: [PagesModule],
  controllers: [DocsController, ErrorPagesController],
  providers: [ApiDocument, Demo],
})
export class DocsModule {}
