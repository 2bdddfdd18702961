import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Page } from '../../auth/index.js';
import { errorVocabulary } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { asPage } from '../../pages/index.js';
import { errorIndexPage, errorPage } from './error-page.js';

/** A page for each error code, the target of `docUrl`. */
@Page()
@Controller('docs/errors')
export class ErrorPagesController {
  constructor(private readonly config: Config) {}

  @Get()
  list(@Res({ passthrough: true }) response: ExpressResponse): string {
    return asPage(response, errorIndexPage(errorVocabulary()));
  }

  @Get(':code')
  show(@Param('code') code: string, @Res({ passthrough: true }) response: ExpressResponse): string {
    const errors = errorVocabulary();
    const error = errors.find((candidate) => candidate.code === code);
    const pages = `${this.config.publicUrl}/docs/errors`;
    if (error) return asPage(response, errorPage(error, pages, this.config.get('API_DOCS')));
    response.status(404);
    return asPage(response, errorIndexPage(errors, code.slice(0, 100)));
  }
}
