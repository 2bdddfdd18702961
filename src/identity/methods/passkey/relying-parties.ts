import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../../auth/index.js';
import { Config } from '../../../config/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { ActiveHostnames, EnvironmentSettingsReader, OriginPolicy } from '../../../environments/index.js';
import { passkeyDomain } from './passkey-domain.js';
import { passkeyOriginNotAllowed, passkeyRelatedOriginUnknown } from './passkey.errors.js';

/** The relying party of passkeys (WebAuthn Level 3 §5.4.2). */
export interface RelyingParty {
  id: string;
  name: string;
}

const USAGES = ['cookies', 'globalWallet'] as const;

/**
 * The sites and domains of an environment: its registered origins and its verified host names. Members are users of the
 * console, whose pages this service serves itself: at the deployment's address only.
 */
@Injectable()
export class RelyingParties {
  private readonly home: string;

  constructor(
    private readonly origins: OriginPolicy,
    private readonly hostnames: ActiveHostnames,
    private readonly settings: EnvironmentSettingsReader,
    private readonly tenants: TenantDirectory,
    config: Config,
  ) {
    this.home = new URL(config.publicUrl).origin;
  }

  /**
   * @param origin the calling site; apps have none and get the domain registered first
   * @param related another domain of the environment, whose passkeys the site may use (§5.11, related origins)
   * @throws ApiError 400 `passkey_origin_not_allowed`, `passkey_related_origin_unknown`
   */
  async get(environmentId: EnvironmentId, origin: string | null, related?: string): Promise<RelyingParty> {
    if (origin !== null && !(await this.admits(environmentId, origin))) throw passkeyOriginNotAllowed();
    const id = await this.domain(environmentId, origin, related);
    const { general } = await this.settings.get(environmentId);
    return { id, name: general.displayName || id };
  }

  /** Whether a ceremony on this site is accepted. */
  async admits(environmentId: EnvironmentId, origin: string): Promise<boolean> {
    if (passkeyDomain(origin) === null) return false;
    if (await this.isConsole(environmentId)) return origin === this.home;
    if (await this.origins.allows(environmentId, origin)) return true;
    if (!origin.startsWith('https://')) return false;
    return (await this.proven(environmentId)).includes(origin);
  }

  private async domain(environmentId: EnvironmentId, origin: string | null, related?: string): Promise<string> {
    const own = origin === null ? null : passkeyDomain(origin);
    if (own !== null && (related === undefined || related === own)) return own;
    const domains = await this.domains(environmentId);
    if (related !== undefined && !domains.includes(related)) throw passkeyRelatedOriginUnknown();
    const domain = related ?? domains[0];
    if (domain === undefined) throw passkeyOriginNotAllowed();
    return domain;
  }

  private async domains(environmentId: EnvironmentId): Promise<string[]> {
    return (await this.sites(environmentId)).flatMap((site) => passkeyDomain(site) ?? []);
  }

  private async sites(environmentId: EnvironmentId): Promise<readonly string[]> {
    if (await this.isConsole(environmentId)) return [this.home];
    return [...(await this.origins.list(environmentId)), ...(await this.proven(environmentId))];
  }

  private async isConsole(environmentId: EnvironmentId): Promise<boolean> {
    return environmentId === (await this.tenants.consoleEnvironmentId());
  }

  private async proven(environmentId: EnvironmentId): Promise<string[]> {
    const names = await Promise.all(USAGES.map((usage) => this.hostnames.list(environmentId, usage)));
    return names.flat().map((name) => `https://${name.toLowerCase()}`);
  }
}
