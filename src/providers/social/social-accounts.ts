import { Injectable } from '@nestjs/common';
import { idOfName } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { VendorFigures } from '../../observability/index.js';
import { EnabledProviders, type EnabledProvider } from '../settings/enabled-providers.js';
import { fieldsOfType } from '../types/provider-type.js';
import { vendorOf } from './catalogue.js';
import { OAuthAccounts } from './oauth-accounts.js';
import { OidcAccounts } from './oidc-accounts.js';
import { OpenId2Accounts, refusalIn } from './openid2-accounts.js';
import { isUnreachable, providerNotAvailable } from './social.errors.js';
import {
  INVALID_RESPONSE,
  type SocialBegin,
  type SocialFinish,
  type SocialIdentity,
  type SocialResponse,
} from './social-identity.js';
import type { SocialVendor } from './social-vendor.js';

type OpenVendor = Exclude<SocialVendor, { protocol: 'own' }>;

export interface Connected {
  /** The provider installation that issued the subject; null where there is only one for everybody. */
  connection: string | null;
}

/** An enabled provider, opened for one attempt. */
export interface OpenSocialProvider {
  /** The URL to redirect the browser to. @throws socialSignInFailed */
  begin(attempt: SocialBegin): Promise<string>;
  /**
   * Identifies the account from the vendor's response. The response is single-use, so call this once, and outside any
   * transaction.
   *
   * @throws socialSignInFailed
   */
  finish(answer: SocialFinish): Promise<SocialIdentity & Connected>;
}

/** Fields that identify a provider's installation. */
const INSTALLATION = ['domain', 'commerceStore'] as const;

const POINTED_ELSEWHERE =
  'The provider has been pointed elsewhere since the account signed in; have the person sign in again.';

/**
 * Installations of a provider that each company runs itself have separate accounts. Derived from the address rather
 * than the record: accounts survive when a record is recreated, but not when it is pointed elsewhere.
 */
function connectionOf({ provider, configuration: { domain, commerceStore } }: EnabledProvider): string | null {
  const installation = domain ?? commerceStore;
  return installation ? idOfName(`${provider} ${installation.toLowerCase()}`) : null;
}

/** Accounts at social providers: one interface to all providers in the catalogue. */
@Injectable()
export class SocialAccounts {
  constructor(
    private readonly enabled: EnabledProviders,
    private readonly oidc: OidcAccounts,
    private readonly oauth: OAuthAccounts,
    private readonly openId2: OpenId2Accounts,
    private readonly figures: VendorFigures,
  ) {}

  /** A provider in its current configuration. @throws providerNotAvailable */
  async open(environmentId: EnvironmentId, provider: string): Promise<OpenSocialProvider> {
    const open = await this.findOpen(environmentId, provider);
    if (!open) throw providerNotAvailable();
    return open;
  }

  /** The same; null for one that is not available. */
  async findOpen(environmentId: EnvironmentId, provider: string): Promise<OpenSocialProvider | null> {
    const found = await this.find(environmentId, provider);
    if (!found) return null;
    const { vendor, record } = found;
    return {
      begin: (attempt) => this.address(vendor, record, attempt),
      finish: async (answer) => ({
        ...(await this.counted(provider, this.prove(vendor, record, answer))),
        connection: connectionOf(record),
      }),
    };
  }

  /** The current provider installation for accounts that sign in now; null where there is only one. */
  async findConnection(environmentId: EnvironmentId, provider: string): Promise<string | null> {
    const vendor = vendorOf(provider);
    // No query for providers with a single installation, which most are.
    if (!vendor || !INSTALLATION.some((field) => fieldsOfType(vendor.type).includes(field))) return null;
    const found = await this.find(environmentId, provider);
    return found && connectionOf(found.record);
  }

  /**
   * What proves the account in a response, which at some providers is the entire query string, or the error code. One of
   * them is null.
   */
  answerIn(provider: string, { code, error, text }: SocialResponse): Record<'answer' | 'error', string | null> {
    const isQuery = vendorOf(provider)?.protocol === 'openid2';
    const refusal = error || (isQuery ? refusalIn(text) : code ? null : INVALID_RESPONSE);
    return { answer: refusal === null ? ((isQuery ? text : code) ?? null) : null, error: refusal };
  }

  /**
   * Refreshes an account's tokens. They were issued by one installation of the provider and are not sent to another.
   *
   * @throws providerNotAvailable, also if the provider has been pointed elsewhere since; socialSignInFailed
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
    const { oidc, oauth } = this;
    return this.counted(
      provider,
      vendor.protocol === 'oidc'
        ? oidc.refresh(vendor, record, refreshToken)
        : oauth.refresh(vendor, record, refreshToken),
    );
  }

  /** Only an unreachable provider has failed: anybody can send a code that it refuses, or that never gets there. */
  private async counted<T>(provider: string, asking: Promise<T>): Promise<T> {
    try {
      const answer = await asking;
      this.figures.answered(provider);
      return answer;
    } catch (error) {
      if (isUnreachable(error)) this.figures.failed(provider);
      throw error;
    }
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
