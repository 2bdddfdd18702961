import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page } from '../../auth/index.js';
import { unauthorized, validationFailed } from '../../common/errors/index.js';
import type { RawRequest } from '../../common/http/raw-body.js';
import { Config } from '../../config/index.js';
import { asPage, LocalOnlyGuard } from '../../pages/index.js';
import { DevelopmentIdentity, IDENTITY_PATH } from './development-identity.js';
import { aboutIdentityPage, identityPage } from './identity-page.js';

const CARRIED = ['redirect_uri', 'state', 'code_challenge'] as const;

/** The development identity provider, with the API of GitHub. */
@Page()
@Controller(IDENTITY_PATH)
@UseGuards(LocalOnlyGuard)
export class IdentityController {
  constructor(
    private readonly identity: DevelopmentIdentity,
    private readonly config: Config,
  ) {}

  @Get()
  about(@Res({ passthrough: true }) response: ExpressResponse): string {
    return asPage(response, aboutIdentityPage());
  }

  @Get('authorize')
  authorize(@Req() request: ExpressRequest, @Res({ passthrough: true }) response: ExpressResponse): string {
    // The sign-in returns to the application, which may be on another port or a deeplink.
    return asPage(response, identityPage(this.carriedBy(request)), { formsLeadAway: true });
  }

  @Get('continue')
  goOn(@Req() request: ExpressRequest, @Res() response: ExpressResponse): void {
    const { redirect_uri: redirectUri, state, code_challenge: challenge } = this.carriedBy(request);
    const back = new URL(redirectUri);
    const refused = request.query['error'] === 'access_denied';
    const code = refused ? null : this.identity.grant(textOf(request.query['name']), redirectUri, challenge);
    if (code === null) back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', code);
    back.searchParams.set('state', state);
    response.redirect(302, back.href);
  }

  @Post('token')
  @HttpCode(200)
  token(@Req() request: RawRequest): object {
    const token = this.identity.redeem(new URLSearchParams(request.rawBody?.toString('utf8') ?? ''));
    // As GitHub does: status 200 with the error in the body.
    return token ? { access_token: token, token_type: 'bearer', scope: '' } : { error: 'invalid_grant' };
  }

  @Get('user')
  user(@Req() request: ExpressRequest): object {
    const account = this.identity.accountOf((request.headers.authorization ?? '').replace(/^Bearer /i, ''));
    if (!account) throw unauthorized();
    return account;
  }

  @Get('user/emails')
  emails(): object[] {
    return [];
  }

  /** Codes may only be sent to this service. @throws ApiError 400 */
  private carriedBy({ query }: ExpressRequest): Record<(typeof CARRIED)[number], string> {
    const [redirectUri, state, challenge] = CARRIED.map((name) => textOf(query[name]));
    const home = new URL(this.config.publicUrl).origin;
    if (!redirectUri || URL.parse(redirectUri)?.origin !== home || !state || !challenge) throw validationFailed();
    return { redirect_uri: redirectUri, state, code_challenge: challenge };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
