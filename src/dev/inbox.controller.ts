import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page } from '../auth/index.js';
import { asPage, LocalOnlyGuard } from '../pages/index.js';
import { DevInbox, type InboxEntry } from '../providers/index.js';
import { inboxPage } from './inbox-page.js';
import { wantsJson } from './wants-json.js';

/** Shows developers the messages that the service sent. */
@Page()
@Controller('dev/inbox')
@UseGuards(LocalOnlyGuard)
export class InboxController {
  constructor(private readonly inbox: DevInbox) {}

  @Get()
  list(
    @Req() request: ExpressRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
  ): string | readonly InboxEntry[] {
    const { entries } = this.inbox;
    return wantsJson(request, response) ? entries : asPage(response, inboxPage(entries));
  }
}
