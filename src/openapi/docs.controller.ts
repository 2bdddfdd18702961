import { Controller, Get, Param, Redirect, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { asPage } from '../pages/index.js';
import { ApiDocument } from './api-document.js';
import { Demo } from './demo.js';
import { DocsAccessGuard } from './docs-access.guard.js';
import { findDocsAsset } from './docs-assets.js';
import { DocsChallengeFilter } from './docs-challenge.filter.js';
import { docsPage } from './docs-page.js';
import type { OpenApiDocument } from './document-types.js';
import { explorerDocument } from './explorer-document.js';

/** The document of the API and the explorer that shows it, all from this process. */
@Page()
@Controller()
@UseGuards(DocsAccessGuard)
@UseFilters(DocsChallengeFilter)
export class DocsController {
  constructor(
    private readonly document: ApiDocument,
    private readonly demo: Demo,
  ) {}

  /** Whoever opens the address of the service in a browser. */
  @Get()
  @Redirect('/docs', 302)
  root(): void {}

  @Get('openapi.json')
  plain(): OpenApiDocument {
    return this.document.get();
  }

  @Get('docs')
  explore(@Res({ passthrough: true }) response: Response): string {
    return asPage(response, docsPage());
  }

  @Get('docs/openapi.json')
  withExamples(@Req() request: Request): OpenApiDocument {
    return explorerDocument(this.document.get(), this.demo.examplesFor(request));
  }

  @Get('docs/demo.json')
  demoToken(@Req() request: Request): { token: string | null } {
    return { token: this.demo.tokenFor(request) };
  }

  @Get('docs/assets/:name')
  asset(@Param('name') name: string, @Res() response: Response): void {
    const asset = findDocsAsset(name);
    if (!asset) throw notFound();
    asset.send(response);
  }
}
