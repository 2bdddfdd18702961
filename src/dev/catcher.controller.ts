import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page } from '../auth/index.js';
import type { RawRequest } from '../common/http/raw-body.js';
import { asPage, LocalOnlyGuard } from '../pages/index.js';
import { catcherPage } from './catcher-page.js';
import { Catcher, type CaughtRequest } from './catcher.js';
import { CATCHER_PATH } from './catcher-path.js';
import { wantsJson } from './wants-json.js';

/** A webhook receiver for development. */
@Page()
@Controller(CATCHER_PATH)
@UseGuards(LocalOnlyGuard)
export class CatcherController {
  constructor(private readonly catcher: Catcher) {}

  @Get()
  async list(
    @Req() request: ExpressRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
  ): Promise<string | readonly CaughtRequest[]> {
    const requests = await this.catcher.judged();
    return wantsJson(request, response) ? requests : asPage(response, catcherPage(requests));
  }

  @Post()
  @HttpCode(200)
  receive(@Req() request: RawRequest): { received: string } {
    return { received: this.keep(request).id };
  }

  @Post('fail')
  @HttpCode(500)
  refuse(@Req() request: RawRequest): { error: string } {
    this.keep(request);
    return { error: 'This address always fails, to demonstrate failed deliveries.' };
  }

  @Post('gone')
  @HttpCode(410)
  leave(@Req() request: RawRequest): { error: string } {
    this.keep(request);
    return { error: 'This address is always gone, to demonstrate a disabled webhook.' };
  }

  private keep({ headers, rawBody }: RawRequest): CaughtRequest {
    return this.catcher.catch(headers, rawBody ?? Buffer.alloc(0));
  }
}
