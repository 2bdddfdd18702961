import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { directoryOf, emailDomainOf, isOpenIn, SsoProviders, type SsoConnection } from '../../organizations/index.js';
import type { EnabledProvider } from '../settings/enabled-providers.js';
import { OidcAccounts } from './oidc-accounts.js';
import type { Connected } from './social-accounts.js';
import { ssoAddressRefused, ssoNotAvailable, ssoSetupChanged } from './social.errors.js';
import type { SocialBegin, SocialFinish, SocialIdentity } from './social-identity.js';
import type { OidcVendor } from './social-vendor.js';
import { okta } from './vendors/okta.js';

/** Values of `email_verified` that are accepted: some directories send a string, and absence is not a denial. */
const CONFIRMED: readonly unknown[] = [undefined, null, true, 'true'];

/** Many directories omit whether an address is verified; one that explicitly says no cannot vouch for it. */
const directory: OidcVendor = {
  ...okta,
  person: (claims) => ({
    ...okta.person(claims),
    ...(!CONFIRMED.includes(claims['email_verified']) && { email: null }),
  }),
};

/** The setup that a sign-in started with, and its state at that time. */
export interface SsoBinding {
  ssoProviderId: string;
  ssoSetupHash: Buffer;
}

/**
 * Identifies a setup by its content. Accounts depend on it: pointed at another provider or domain, the same record
 * means different people.
 */
const factsOf = ({ id, issuer, clientId, emailDomain }: SsoConnection): string =>
  JSON.stringify([id, issuer, clientId, emailDomain]);

/** Accounts at the identity providers of organizations, through the same engine as social ones. */
@Injectable()
export class SsoAccounts {
  constructor(
    private readonly setups: SsoProviders,
    private readonly tenants: TenantDirectory,
    private readonly oidc: OidcAccounts,
  ) {}

  /** The binding for a new attempt. @throws ssoNotAvailable */
  async bindingOf(environmentId: EnvironmentId, provider: string, ssoProviderId: string): Promise<SsoBinding> {
    const setup = await this.get(environmentId, provider, ssoProviderId);
    return { ssoProviderId, ssoSetupHash: hashOf(setup) };
  }

  /** The URL to redirect the browser to. @throws ssoNotAvailable, ssoSetupChanged, socialSignInFailed */
  async begin(
    environmentId: EnvironmentId,
    provider: string,
    binding: SsoBinding,
    attempt: SocialBegin,
  ): Promise<string> {
    return this.oidc.begin(directory, this.recordOf(await this.getBound(environmentId, provider, binding)), attempt);
  }

  /**
   * Identifies the account. The provider may vouch only for addresses of the proven domain; its tokens are not needed
   * and not stored.
   *
   * @throws ssoNotAvailable, ssoSetupChanged, ssoAddressRefused, socialSignInFailed
   */
  async finish(
    environmentId: EnvironmentId,
    provider: string,
    binding: SsoBinding,
    answer: SocialFinish,
  ): Promise<SocialIdentity & Connected> {
    const setup = await this.getBound(environmentId, provider, binding);
    const identity = await this.oidc.finish(directory, this.recordOf(setup), answer);
    // During the call to the provider, the domain proof may have been lost or the setup changed.
    const current = await this.getBound(environmentId, provider, binding);
    const { emailDomain } = current;
    const { email } = identity;
    if (email === null || emailDomainOf(email.slice(email.lastIndexOf('@') + 1)) !== emailDomain) {
      throw ssoAddressRefused({ payload: { emailDomain } });
    }
    const connection = directoryOf(current);
    return { ...identity, emailVerified: true, emailAuthoritative: true, tokens: null, connection };
  }

  /** Whether an account is one at the provider with which people of the environment's organization can sign in now. */
  async holds(environmentId: EnvironmentId, provider: string, connection: string | undefined): Promise<boolean> {
    const environment = await this.tenants.findEnvironment(environmentId);
    const setup = environment && (await this.setups.findOf(environment));
    return setup?.provider === provider && directoryOf(setup) === connection;
  }

  /** @throws ssoNotAvailable, ssoSetupChanged */
  async assertBound(environmentId: EnvironmentId, provider: string, binding: SsoBinding): Promise<void> {
    await this.getBound(environmentId, provider, binding);
  }

  private async getBound(
    environmentId: EnvironmentId,
    provider: string,
    { ssoProviderId, ssoSetupHash }: SsoBinding,
  ): Promise<SsoConnection> {
    const setup = await this.get(environmentId, provider, ssoProviderId);
    if (!hashOf(setup).equals(ssoSetupHash)) throw ssoSetupChanged();
    return setup;
  }

  /** Does not reveal whether a setup of another organization exists. */
  private async get(environmentId: EnvironmentId, provider: string, id: string): Promise<SsoConnection> {
    const [setup, environment] = await Promise.all([this.setups.find(id), this.tenants.findEnvironment(environmentId)]);
    if (!setup || !environment || setup.provider !== provider || !isOpenIn(setup, environment)) throw ssoNotAvailable();
    return setup;
  }

  private recordOf(setup: SsoConnection): EnabledProvider {
    const { id, provider, issuer, clientId } = setup;
    return {
      id,
      provider,
      issuer,
      configuration: { clientId },
      withSecret: async (use) => {
        const secret = await this.setups.openClientSecret(setup);
        try {
          return await use(secret.expose().toString('utf8'));
        } finally {
          secret.wipe();
        }
      },
    };
  }
}

const hashOf = (setup: SsoConnection): Buffer => createHash('sha256').update(factsOf(setup)).digest();
