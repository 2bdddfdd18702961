import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { DevInbox } from '../mail/dev-inbox.js';
import { NothingLeft } from '../mail/unsent-mail.js';
import { noEnabledSmsProvider, smsCountryNotEnabled, smsNumberRefused, smsUnavailable } from '../providers.errors.js';
import { EnabledProviders, type EnabledProvider } from '../settings/enabled-providers.js';
import { ProviderAddresses } from '../settings/provider-addresses.js';
import { VendorMessages } from '../vendor-messages.js';
import { smsRequest } from './sms-vendors.js';

const RETRY_SECONDS = 30;

/** One text message to one recipient. */
export interface Sms {
  environmentId: EnvironmentId;
  /** E.164. */
  to: string;
  /** ISO 3166-1 alpha-2, derived from the number. */
  isoCountryCode: string;
  text: string;
  /** The one-time code in the text, for the development inbox only. */
  code?: string;
}

/** Sends text messages: to the inbox in development, else through the environment's provider. */
@Injectable()
export class SmsSender {
  constructor(
    private readonly enabled: EnabledProviders,
    private readonly addresses: ProviderAddresses,
    private readonly messages: VendorMessages,
    private readonly inbox: DevInbox,
    private readonly config: Config,
  ) {}

  /** @throws noEnabledSmsProvider */
  async assertEnabled(environmentId: EnvironmentId): Promise<void> {
    await this.provider(environmentId);
  }

  /** @throws noEnabledSmsProvider, smsCountryNotEnabled */
  async assertReaches(environmentId: EnvironmentId, isoCountryCode: string): Promise<void> {
    assertCountry(await this.provider(environmentId), isoCountryCode);
  }

  /** @throws noEnabledSmsProvider, smsCountryNotEnabled, smsNumberRefused, smsUnavailable */
  async send({ environmentId, to, isoCountryCode, text, code }: Sms): Promise<void> {
    const provider = await this.provider(environmentId);
    assertCountry(provider, isoCountryCode);
    const { configuration } = provider;
    const { api } = this.addresses.of('sms');
    // No paid messages in development, unless the deployment configures a destination.
    if (!this.config.isProduction && api === undefined) {
      this.inbox.add({ channel: 'sms', to, subject: null, text, code: code ?? null });
      return;
    }
    const request = await provider.withSecret((secret) => smsRequest({ api, secret, configuration, to, text }));
    const handed = await this.messages.handOver('sms', request);
    if (handed === 'accepted') return;
    const cause = handed === 'unclear' ? undefined : new NothingLeft();
    if (handed === 'recipient') throw smsNumberRefused({ cause });
    if (handed === 'country') throw smsCountryNotEnabled({ cause });
    throw smsUnavailable({ retryAfterSeconds: RETRY_SECONDS, cause });
  }

  private async provider(environmentId: EnvironmentId): Promise<EnabledProvider> {
    const provider = await this.enabled.find(environmentId, 'sms');
    if (!provider) throw noEnabledSmsProvider();
    return provider;
  }
}

function assertCountry({ configuration }: EnabledProvider, isoCountryCode: string): void {
  const countries = configuration.enabledCountries ?? [];
  const country = isoCountryCode.toUpperCase();
  if (!countries.some((each) => each.isoCountryCode.toUpperCase() === country)) throw smsCountryNotEnabled();
}
