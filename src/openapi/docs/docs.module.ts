import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { PagesModule } from '../../pages/index.js';
import { ApiDocument } from '../api-document.js';
import { Demo } from './demo.js';
import { DocsController } from './docs.controller.js';

/** `/docs` and `/openapi.json`. Loaded when API_DOCS is on. */
@Module({})
export class DocsModule {
  /** @param sources modules that export `TenantDirectory` and, in development, `Quickstarts` */
  static forRoot(sources: Type[]): DynamicModule {
    return {
      module: DocsModule,
      imports: [PagesModule, ...sources],
      controllers: [DocsController],
      providers: [ApiDocument, Demo],
    };
  }
}
