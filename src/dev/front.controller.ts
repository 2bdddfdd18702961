import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Header, Res, UseGuards } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Page } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { asPage, LocalOnlyGuard } from '../pages/index.js';
import { frontPage, llmsText, type FrontPage } from './front-page.js';
import { QUICKSTART_FILE } from './quickstart.js';
import { Quickstarts } from './quickstarts.js';

/** Relative to the sources and to the build. */
const RECIPES = ['../../docs/recipes.md', '../../../docs/recipes.md'].map((path) => new URL(path, import.meta.url));

/** The index of everything available in development, for people and for programs. */
@Page()
@Controller()
@UseGuards(LocalOnlyGuard)
export class FrontController {
  constructor(
    private readonly config: Config,
    private readonly quickstarts: Quickstarts,
  ) {}

  @Get('dev')
  async show(@Res({ passthrough: true }) response: ExpressResponse): Promise<string> {
    return asPage(response, frontPage(await this.front()));
  }

  @Get('llms.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  async text(): Promise<string> {
    return llmsText(await this.front());
  }

  /** @throws ApiError 404 if the build was shipped without documentation */
  @Get('dev/recipes')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  recipes(): string {
    const page = RECIPES.find((address) => existsSync(address));
    if (!page) throw notFound();
    return readFileSync(page, 'utf8');
  }

  private async front(): Promise<FrontPage> {
    const [port, host] = [this.config.get('METRICS_PORT'), this.config.get('METRICS_HOST')];
    return {
      publicUrl: this.config.publicUrl,
      quickstartFile: join(this.config.get('DATA_DIR'), QUICKSTART_FILE),
      quickstart: await this.quickstarts.find(),
      metricsUrl: port ? `http://${host}:${port}/metrics` : null,
      isCounting: port !== null,
    };
  }
}
