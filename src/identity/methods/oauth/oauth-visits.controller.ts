import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiParam } from '@nestjs/swagger';
import type { Response as ExpressResponse } from 'express';
import { Environment, Public, type EnvironmentId } from '../../../auth/index.js';
import { ApiController, Operation, ReturnsToBrowser } from '../../../common/http/operation.js';
import { Cookies, OpenQuery, QueryText, sendTo } from '../../flows/sessions/browser-answer.js';
import { FORM_TYPE } from './form-body.js';
import { OauthAuthorizeQuery, OauthCallbackForm, OauthCallbackQuery, OauthLoginQuery } from './oauth.dto.js';
import { PROVIDER_TYPE } from './provider-type-param.js';
import { OauthVisits } from './oauth-visits.service.js';

const TIME = ['a sign-in must complete within 10 minutes after it began'];
const PAGES = 'Browsers (`Accept: text/html`) are shown errors as a page.';
const CALLBACK = {
  description: `Redirects to the return address of the attempt, with errors of the provider too; if there is none, responds with a page. ${PAGES}`,
  errors: [422],
  limits: TIME,
} as const;
const FORM_VENDOR = 'apple';
const OTHER_PATH_VENDOR = 'coinbasesocial';

/** Sign-in with a social provider: the steps that browsers navigate to. */
@ApiController('sdk/:environmentId/providers', 'Sdk')
export class OauthVisitsController {
  constructor(private readonly visits: OauthVisits) {}

  @Get('cbOauthRedirectUrl')
  @Operation({
    id: 'cbOauthRedirect',
    noHead: true,
    summary: 'Alternative callback address for one provider that restricts words in redirect paths',
    ...CALLBACK,
  })
  @Public()
  @ReturnsToBrowser({ page: true, redirect: true })
  async cbOauthRedirect(
    @Environment() environmentId: EnvironmentId,
    @OpenQuery(OauthCallbackQuery) query: OauthCallbackQuery,
    @QueryText() text: string,
    @Cookies() cookies: string | undefined,
    @Res() response: ExpressResponse,
  ) {
    sendTo(response, await this.visits.comeBack(environmentId, OTHER_PATH_VENDOR, { ...query, text }, cookies));
  }

  @Post('apple/redirect')
  @Operation({ id: 'oauthRedirectApple', summary: "Receive the provider's callback as a posted form", ...CALLBACK })
  @Public()
  @ApiConsumes(FORM_TYPE)
  @ReturnsToBrowser({ page: true, redirect: true })
  async oauthRedirectApple(
    @Environment() environmentId: EnvironmentId,
    @Body() form: OauthCallbackForm,
    @Cookies() cookies: string | undefined,
    @Res() response: ExpressResponse,
  ) {
    sendTo(response, await this.visits.comeBack(environmentId, FORM_VENDOR, { ...form, text: '' }, cookies));
  }

  @Get(':providerType/redirect')
  @ApiParam(PROVIDER_TYPE)
  @Operation({
    id: 'oauthRedirectCode',
    noHead: true,
    summary: "Receive the provider's callback by GET and pass the code or error on to the waiting client",
    ...CALLBACK,
  })
  @Public()
  @ReturnsToBrowser({ page: true, redirect: true })
  async oauthRedirectCode(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @OpenQuery(OauthCallbackQuery) query: OauthCallbackQuery,
    @QueryText() text: string,
    @Cookies() cookies: string | undefined,
    @Res() response: ExpressResponse,
  ) {
    sendTo(response, await this.visits.comeBack(environmentId, provider, { ...query, text }, cookies));
  }

  @Get(':providerType/login')
  @ApiParam(PROVIDER_TYPE)
  @Operation({
    id: 'oauthLogin',
    summary: 'Redirect the browser straight to the provider login page',
    description: `For the attempt that initAuth started in this browser. What clients add for the provider is ignored: its parameters are those of its settings. ${PAGES}`,
    errors: [422],
    limits: TIME,
  })
  @Public()
  @ReturnsToBrowser({ redirect: true })
  async oauthLogin(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @OpenQuery(OauthLoginQuery) { state }: OauthLoginQuery,
    @Cookies() cookies: string | undefined,
    @Res() response: ExpressResponse,
  ) {
    sendTo(response, await this.visits.leave(environmentId, provider, state, cookies));
  }

  @Get(':providerType/authorizeHtml')
  @ApiParam(PROVIDER_TYPE)
  @Operation({
    id: 'oauthAuthorizeHtml',
    noHead: true,
    summary: 'Serve an HTML page that starts authorization on devices that need one',
    description: PAGES,
    errors: [422],
    limits: TIME,
  })
  @Public()
  @ReturnsToBrowser({ page: true })
  async oauthAuthorizeHtml(
    @Environment() environmentId: EnvironmentId,
    @Param('providerType') provider: string,
    @Query() query: OauthAuthorizeQuery,
    @Cookies() cookies: string | undefined,
    @Res() response: ExpressResponse,
  ) {
    sendTo(response, await this.visits.page(environmentId, provider, query, cookies));
  }
}
