import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { EnabledProviders, type EnabledProvider } from '../settings/enabled-providers.js';
import { ProviderAddresses } from '../settings/provider-addresses.js';
import { providerNotAvailable } from './social.errors.js';

/** https://core.telegram.org/widgets/login */
const WIDGET = 'https://telegram.org';
const WIDGET_FRAME = 'https://oauth.telegram.org';

/** The bot through which users of an environment sign in with Telegram. */
export interface TelegramBot {
  name: string;
  /** The URL of the login widget script and of the frame it opens. */
  widget: string;
  frames: string;
  /** Provides the bot token, with which Telegram signs logins, for the duration of `use`. */
  withToken: EnabledProvider['withSecret'];
}

/** The bots that environments have enabled. */
@Injectable()
export class TelegramBots {
  constructor(
    private readonly enabled: EnabledProviders,
    private readonly addresses: ProviderAddresses,
  ) {}

  /** @throws providerNotAvailable */
  async get(environmentId: EnvironmentId): Promise<TelegramBot> {
    const record = await this.enabled.find(environmentId, 'telegram');
    if (!record) throw providerNotAvailable();
    const name = record.configuration.clientId!;
    const { api = WIDGET, authorize = WIDGET_FRAME } = this.addresses.of('telegram', name);
    return {
      name,
      widget: new URL('js/telegram-widget.js?22', `${api.replace(/\/+$/, '')}/`).href,
      frames: new URL(authorize).origin,
      withToken: (use) => record.withSecret(use),
    };
  }
}
