import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import {
  SocialAccounts,
  SsoAccounts,
  type Connected,
  type SocialBegin,
  type SocialFinish,
  type SocialIdentity,
  type SsoBinding,
} from '../../../providers/index.js';
import type { OauthAttempt } from './oauth-attempt.entity.js';

/** The provider of one attempt. */
export interface OauthPeer {
  /** The organization's SSO setup; null for a provider of the environment. */
  binding: SsoBinding | null;
  begin(attempt: SocialBegin): Promise<string>;
  finish(answer: SocialFinish): Promise<SocialIdentity & Connected>;
}

/**
 * The providers for attempts: those the environment has enabled, and those of its organization. The choice is fixed
 * when the attempt begins, so that no later request can change it.
 */
@Injectable()
export class OauthPeers {
  constructor(
    private readonly social: SocialAccounts,
    private readonly sso: SsoAccounts,
    private readonly tenants: TenantDirectory,
  ) {}

  /** For a new attempt. @throws providerNotAvailable, ssoNotAvailable */
  async named(environmentId: EnvironmentId, provider: string, ssoProviderId: string | undefined): Promise<OauthPeer> {
    if (ssoProviderId === undefined) return this.ofEnvironment(environmentId, provider);
    return this.bound(environmentId, provider, await this.sso.bindingOf(environmentId, provider, ssoProviderId));
  }

  /** For a pending attempt. @throws providerNotAvailable, ssoNotAvailable, ssoSetupChanged */
  async of(
    environmentId: EnvironmentId,
    provider: string,
    attempt: Pick<OauthAttempt, 'ssoProviderId' | 'ssoSetupHash'> | null,
  ): Promise<OauthPeer> {
    const { ssoProviderId, ssoSetupHash } = attempt ?? {};
    if (!ssoProviderId || !ssoSetupHash) return this.ofEnvironment(environmentId, provider);
    const binding = { ssoProviderId, ssoSetupHash };
    await this.sso.assertBound(environmentId, provider, binding);
    return this.bound(environmentId, provider, binding);
  }

  /** The environment's own provider; null if none is enabled. */
  async findUsual(environmentId: EnvironmentId, provider: string): Promise<OauthPeer | null> {
    const open = await this.social.findOpen(environmentId, provider);
    return open && { binding: null, ...open };
  }

  /**
   * Whether people can sign in with an account at the provider. In the console it may be at one of any organization.
   *
   * @param connection of the account, where the provider has several
   */
  async isOpen(environmentId: EnvironmentId, provider: string, connection?: string): Promise<boolean> {
    if ((await this.findUsual(environmentId, provider)) !== null) return true;
    if (environmentId === (await this.tenants.consoleEnvironmentId())) return true;
    return this.sso.holds(environmentId, provider, connection);
  }

  private async ofEnvironment(environmentId: EnvironmentId, provider: string): Promise<OauthPeer> {
    return { binding: null, ...(await this.social.open(environmentId, provider)) };
  }

  private bound(environmentId: EnvironmentId, provider: string, binding: SsoBinding): OauthPeer {
    return {
      binding,
      begin: (attempt) => this.sso.begin(environmentId, provider, binding, attempt),
      finish: (answer) => this.sso.finish(environmentId, provider, binding, answer),
    };
  }
}
