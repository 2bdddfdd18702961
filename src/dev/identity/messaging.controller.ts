import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { validationFailed } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { Asset, asPage, LocalOnlyGuard } from '../../pages/index.js';
import { botToken, imitatedLogin, MESSAGING_PATH, WIDGET_PATH } from './imitated-messaging.js';
import { messagingPage } from './messaging-page.js';

const WIDGET = new Asset(new URL('./messaging-widget.js', import.meta.url), 'js');

/** The imitated messaging network for development. */
@Page()
@Controller()
@UseGuards(LocalOnlyGuard)
export class ImitatedMessagingController {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get(WIDGET_PATH)
  widget(@Res() response: ExpressResponse): void {
    WIDGET.send(response);
  }

  @Get(MESSAGING_PATH)
  ask(@Req() request: ExpressRequest, @Res({ passthrough: true }) response: ExpressResponse): string {
    return asPage(response, messagingPage(this.returnTo(request).href));
  }

  @Get(`${MESSAGING_PATH}/continue`)
  goOn(@Req() request: ExpressRequest, @Res() response: ExpressResponse): void {
    const back = this.returnTo(request);
    const seconds = Math.floor(this.clock.timestamp() / 1000);
    const login = imitatedLogin(textOf(request.query['name']), seconds, botToken(this.config.get('DATA_DIR')));
    if (!login) throw validationFailed();
    for (const [name, value] of Object.entries(login)) back.searchParams.set(name, value);
    response.redirect(302, back.href);
  }

  /** Logins may only return to this service. @throws ApiError 400 */
  private returnTo({ query }: ExpressRequest): URL {
    const address = URL.parse(textOf(query['return_to']));
    if (address?.origin !== new URL(this.config.publicUrl).origin) throw validationFailed();
    return address;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
