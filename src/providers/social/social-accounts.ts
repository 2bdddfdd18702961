import { Injectable } from '@nestjs/common';
import { idOfName } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnabledProviders, type EnabledProvider } from '../settings/enabled-providers.js';
import { fieldsOfType } from '../types/provider-type.js';
import { vendorOf } from './catalogue.js';
import { OAuthAccounts } from './oauth-accounts.js';
import { OidcAccounts } from './oidc-accounts.js';
import { OpenId2Accounts } from './openid2-accounts.js';
import { providerNotAvailable } from './social.errors.js';
import type { SocialBegin, SocialFinish, SocialIdentity } from './social-identity.js';
import type { SocialVendor } from './social-vendor.js';

type OpenVendor = Exclude<SocialVendor, { protocol: 'own' }>;

export interface Connected {
  /** Which installation of the provider the subject is of; null where the provider is one for everybody. */
  connection: string | null;
}

/** What an enabled provider does for one attempt. */
export interface OpenSocialProvider {
  /** The address to which a browser goes. @throws socialSignInFailed */
  begin(attempt: SocialBegin): Promise<string>;
  /**
   * Who signed in, proven by what the vendor sent back. The answer is used up at the vendor, so call it once, and
   * outside of any transaction.
   *
   * @throws socialSignInFailed
   */
  finish(answer: SocialFinish): Promise<SocialIdentity & Connected>;
}

/** Fields that say which installation a provider is. */
const INSTALLATION = ['domain', 'commerceStore'] as const;

const POINTED_ELSEWHERE =
  'The provider has been pointed elsewhere since the account signed in; have the person sign in again.';

/**
 * A provider that every company has of its own counts its accounts for itself. Made from the address and not from the
 * record: accounts stay when a record is made anew, and go when it is pointed elsewhere.
 */
function connectionOf({ provider, configuration: { domain, commerceStore } }: EnabledProvider): string | null {
  const installation = domain ?? commerceStore;
  return installation ? idOfName(`${provider} ${installation.toLowerCase()}`) : null;
}

/** Accounts of people at social providers: every provider of the catalogue behind one door. */
@Injectable()
export class SocialAccounts {
  constructor(
    private readonly enabled: EnabledProviders,
    private readonly oidc: OidcAccounts,
    private readonly oauth: OAuthAccounts,
    private readonly openId2: OpenId2Accounts,
  ) {}

  /** A provider as it is set up now. @throws providerNotAvailable */
  async open(environmentId: EnvironmentId, provider: string): Promise<OpenSocialProvider> {
    const open = await this.findOpen(environmentId, provider);
    if (!open) throw providerNotAvailable();
    return open;
  }

  /** The same; null for one that is not to be had. */
  async findOpen(environmentId: EnvironmentId, provider: string): Promise<OpenSocialProvider | null> {
    const found = await this.find(environmentId, provider);
    if (!found) return null;
    const { vendor, record } = found;
    return {
      begin: (attempt) => this.address(vendor, record, attempt),
      finish: async (answer) => ({
        ...(await this.prove(vendor, record, answer)),
        connection: connectionOf(record),
      }),
    };
  }

  /** Which installation an account is of that signs in by the provider as it is set up now; null where there is but one. */
  async findConnection(environmentId: EnvironmentId, provider: string): Promise<string | null> {
    const vendor = vendorOf(provider);
    // Nothing has to be read of those that are one for everybody, which most are.
    if (!vendor || !INSTALLATION.some((field) => fieldsOfType(vendor.type).includes(field))) return null;
    const found = await this.find(environmentId, provider);
    return found && connectionOf(found.record);
  }

  /** Whether the whole query string of its answer is what the provider proves an account with, and not a code in it. */
  answersInQuery(provider: string): boolean {
    return vendorOf(provider)?.protocol === 'openid2';
  }

  /**
   * New tokens of an account. The token was given by one installation of the provider, and another one does not get it.
   *
   * @throws providerNotAvailable, also where the provider has been pointed elsewhere since; socialSignInFailed
   */
  async refresh(
    environmentId: EnvironmentId,
    { provider, connection }: { provider: string } & Connected,
    refreshToken: string,
  ): Promise<NonNullable<SocialIdentity['tokens']>> {
    const found = await this.find(environmentId, provider);
    if (!found || found.vendor.protocol === 'openid2') throw providerNotAvailable();
    const { vendor, record } = found;
    if (connectionOf(record) !== connection) throw providerNotAvailable({ hint: POINTED_ELSEWHERE });
    return vendor.protocol === 'oidc'
      ? this.oidc.refresh(vendor, record, refreshToken)
      : this.oauth.refresh(vendor, record, refreshToken);
  }

  private async address(vendor: OpenVendor, record: EnabledProvider, attempt: SocialBegin): Promise<string> {
    switch (vendor.protocol) {
      case 'oidc':
        return this.oidc.begin(vendor, record, attempt);
      case 'oauth':
        return this.oauth.begin(vendor, record, attempt);
      case 'openid2':
        return this.openId2.begin(vendor, attempt);
    }
  }

  private prove(vendor: OpenVendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    switch (vendor.protocol) {
      case 'oidc':
        return this.oidc.finish(vendor, record, answer);
      case 'oauth':
        return this.oauth.finish(vendor, record, answer);
      case 'openid2':
        return this.openId2.finish(vendor, record, answer);
    }
  }

  private async find(
    environmentId: EnvironmentId,
    provider: string,
  ): Promise<{ vendor: OpenVendor; record: EnabledProvider } | null> {
    const vendor = vendorOf(provider);
    if (!vendor || vendor.protocol === 'own') return null;
    const record = await this.enabled.find(environmentId, provider);
    return record && { vendor, record };
  }
}
