import { Controller, Get, Param, Redirect, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page, TenantDirectory } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { API_PREFIX } from '../../common/http/operation.js';
import { asPage } from '../../pages/index.js';
import { ApiDocument } from '../api-document.js';
import { Demo, type DemoTokens } from './demo.js';
import { DocsAccessGuard } from './docs-access.guard.js';
import { findDocsAsset } from './docs-assets.js';
import { DocsChallengeFilter } from './docs-challenge.filter.js';
import { docsPage } from './docs-page.js';
import type { OpenApiDocument } from '../document-types.js';
import { explorerDocument } from './explorer-document.js';

/**
 * The API document and the explorer, served entirely from this process. In production everybody can load the explorer's
 * frame, so that members can sign in there, but only members get the documents.
 */
@Page()
@Controller()
export class DocsController {
  constructor(
    private readonly document: ApiDocument,
    private readonly demo: Demo,
    private readonly tenants: TenantDirectory,
  ) {}

  /** For people who open the address of the service in a browser. */
  @Get()
  @Redirect('/docs', 302)
  root(): void {}

  @Get('openapi.json')
  @UseGuards(DocsAccessGuard)
  @UseFilters(DocsChallengeFilter)
  plain(): OpenApiDocument {
    return this.document.get();
  }

  @Get('docs')
  async explore(@Res({ passthrough: true }) response: ExpressResponse): Promise<string> {
    return asPage(response, docsPage(await this.consoleSdk()));
  }

  /** For the page's script, which shows a form on 401: without DocsChallengeFilter, the browser opens no dialog. */
  @Get('docs/openapi.json')
  @UseGuards(DocsAccessGuard)
  async withExamples(@Req() request: ExpressRequest): Promise<OpenApiDocument> {
    return explorerDocument(this.document.get(), await this.demo.examplesFor(request));
  }

  @Get('docs/start.json')
  async start(@Req() request: ExpressRequest): Promise<{ consoleSdk: string; demo: DemoTokens | null }> {
    return { consoleSdk: await this.consoleSdk(), demo: await this.demo.tokensFor(request) };
  }

  @Get('docs/assets/:name')
  asset(@Param('name') name: string, @Res() response: ExpressResponse): void {
    const asset = findDocsAsset(name);
    if (!asset) throw notFound();
    asset.send(response);
  }

  /** The path of the console environment, in which members are users. */
  private async consoleSdk(): Promise<string> {
    return `/${API_PREFIX}/sdk/${await this.tenants.consoleEnvironmentId()}`;
  }
}
