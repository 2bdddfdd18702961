import { Injectable } from '@nestjs/common';
import { API_PREFIX } from '../../../common/http/operation.js';
import { Config } from '../../../config/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { TelegramBots } from '../../../providers/index.js';
import type { BrowserAnswer } from '../../flows/sessions/browser-answer.js';
import { browserCookie } from './telegram-browser.js';
import { parseSignedLogin, WIDGET_FIELDS } from './telegram-login.js';
import { TelegramLogins } from './telegram-logins.service.js';
import { buttonPage, signedPage } from './telegram-page.js';
import type { TelegramPostRequest } from './telegram.dto.js';
import { telegramLoginInvalid } from './telegram.errors.js';

/** The button page, to which the network redirects the browser. */
@Injectable()
export class TelegramVisits {
  constructor(
    private readonly bots: TelegramBots,
    private readonly logins: TelegramLogins,
    private readonly config: Config,
  ) {}

  /** @param query the raw query string: with a hash, the person has returned from the network */
  async page(
    environmentId: EnvironmentId,
    state: string,
    query: string,
    cookies: string | undefined,
  ): Promise<BrowserAnswer> {
    const bot = await this.bots.get(environmentId);
    const given = new URLSearchParams(query);
    if (given.has('hash')) {
      given.delete('state');
      await this.logins.keep(environmentId, state, parseSignedLogin(given.toString()), cookies);
      return { page: signedPage() };
    }
    const { key, isNew } = this.logins.browserKey(environmentId, cookies);
    const path = `/${API_PREFIX}/sdk/${environmentId}/telegram/auth`;
    const returnUrl = `${this.config.publicUrl}${path}?${new URLSearchParams({ state }).toString()}`;
    return {
      page: buttonPage(bot, returnUrl),
      sources: { scripts: new URL(bot.widget).origin, frames: bot.frames },
      ...(isNew && { setCookie: browserCookie(environmentId, key) }),
    };
  }

  /** The same for a client that shows the widget itself and received the login from it. */
  async receive(
    environmentId: EnvironmentId,
    { state, telegramUser }: TelegramPostRequest,
    cookies: string | undefined,
  ): Promise<void> {
    const { id, firstName, lastName, username, photoURL, authDate, hash } = telegramUser;
    const values = [String(id), firstName, lastName, username, photoURL, authDate];
    const fields = WIDGET_FIELDS.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]] as const]));
    if (fields.some(([, value]) => value.includes('\n'))) throw telegramLoginInvalid();
    await this.logins.keep(environmentId, state, { fields: new Map(fields), hash, isMiniApp: false }, cookies);
  }
}
