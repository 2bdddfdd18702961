import { Injectable } from '@nestjs/common';
import { EmailProviders } from '../email/email-providers.js';
import { mailUnavailable } from '../providers.errors.js';
import { EnabledProviders, type EnabledProvider } from '../settings/enabled-providers.js';
import { ProviderAddresses } from '../settings/provider-addresses.js';
import { VendorMessages } from '../vendor-messages.js';
import { MAIL_VENDORS } from './mail-vendors.js';
import { DeploymentMailer, Mailer, type Mail } from './mailer.js';
import { NothingLeft } from './unsent-mail.js';

const RETRY_SECONDS = 30;
const NAMES = MAIL_VENDORS.map(({ name }) => name);

/** Sends emails through the vendor enabled by the environment, else through the mailer of the deployment. */
@Injectable()
export class VendorMailer extends Mailer {
  constructor(
    private readonly known: EmailProviders,
    private readonly enabled: EnabledProviders,
    private readonly addresses: ProviderAddresses,
    private readonly messages: VendorMessages,
    private readonly deployment: DeploymentMailer,
  ) {
    super();
  }

  /** No fallback if the vendor fails: the environment has chosen who may see its mail. */
  override async send(mail: Mail): Promise<void> {
    const provider = await this.providerOf(mail);
    const vendor = provider && MAIL_VENDORS.find(({ name }) => name === provider.provider);
    if (!vendor) return this.deployment.send(mail);
    const api = this.addresses.of(vendor.name).api ?? vendor.api;
    const request = await provider.withSecret((secret) =>
      vendor.request({ api, secret, configuration: provider.configuration, mail }),
    );
    const handed = await this.messages.handOver(vendor.name, request);
    if (handed === 'accepted') return;
    const cause = handed === 'refused' ? new NothingLeft() : undefined;
    throw mailUnavailable({ retryAfterSeconds: RETRY_SECONDS, cause });
  }

  /** Most environments have no vendor, which is known without a query. */
  private async providerOf({ environmentId }: Mail): Promise<EnabledProvider | null> {
    if (!(await this.known.isAnyEnabled(environmentId, NAMES))) return null;
    return (await this.enabled.listNamed(environmentId, NAMES))[0] ?? null;
  }
}
