import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { asPage, LocalOnlyGuard } from '../../pages/index.js';
import { wantsJson } from '../wants-json.js';
import { mailPreviews, type MailPreview } from './mail-previews.js';
import { mailsPage } from './mails-page.js';

/** Previews of mails. */
@Page()
@Controller('dev/mails')
@UseGuards(LocalOnlyGuard)
export class MailsController {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @Get()
  list(
    @Req() request: ExpressRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
  ): string | readonly MailPreview[] {
    const previews = mailPreviews(this.clock.now(), this.config.publicUrl);
    return wantsJson(request, response) ? previews : asPage(response, mailsPage(previews));
  }
}
