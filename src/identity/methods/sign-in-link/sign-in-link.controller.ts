import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Client, Page, type ClientOrigin } from '../../../auth/index.js';
import { API_PREFIX } from '../../../common/http/operation.js';
import { Config } from '../../../config/index.js';
import { Asset, asPage } from '../../../pages/index.js';
import { SignInLinkRequest } from './sign-in-link.dto.js';
import { SignInLinks } from './sign-in-links.service.js';
import { SIGN_IN_PATH, signInPage } from './sign-in.page.js';

const SCRIPT = new Asset(new URL('./sign-in.script.js', import.meta.url), 'js');

/** The page a member's sign-in link leads to. */
@Page()
@Controller(SIGN_IN_PATH)
export class SignInLinkController {
  constructor(
    private readonly links: SignInLinks,
    private readonly config: Config,
  ) {}

  @Get()
  show(@Res({ passthrough: true }) response: ExpressResponse): string {
    const docs = this.config.get('API_DOCS');
    response.setHeader('Cache-Control', 'no-store');
    return asPage(response, signInPage({ docs, api: `${this.config.publicUrl}/${API_PREFIX}` }));
  }

  @Get('page.js')
  script(@Res() response: ExpressResponse): void {
    SCRIPT.send(response);
  }

  @Post()
  @HttpCode(200)
  signIn(
    @Client() client: ClientOrigin,
    @Body() { secret }: SignInLinkRequest,
    @Res({ passthrough: true }) response: ExpressResponse,
  ) {
    response.setHeader('Cache-Control', 'no-store');
    return this.links.tokensFor(secret, client);
  }
}
