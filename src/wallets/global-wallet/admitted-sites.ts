import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { matchesOrigin, parseOrigin } from '../../environments/index.js';
import { AccessControlsRepository } from './access-controls.repository.js';
import type { ConnectionTerms } from './connections.repository.js';
import { DomainsRepository } from './domains.repository.js';

/** The sites that the global wallet of an environment may be connected to. */
@Injectable()
export class AdmittedSites {
  constructor(
    private readonly controls: AccessControlsRepository,
    private readonly domains: DomainsRepository,
    private readonly tenants: TenantDirectory,
  ) {}

  /** Whether the text is an origin as browsers send it; plain http on localhost is allowed only in a sandbox. */
  async isSite(environmentId: EnvironmentId, origin: string): Promise<boolean> {
    const environment = await this.tenants.findEnvironment(environmentId);
    return environment !== null && !origin.includes('*') && parseOrigin(origin, environment.kind).origin === origin;
  }

  /** The same rule for existing connections, as evaluated by PostgreSQL; null where every site is admitted. */
  async terms(environmentId: EnvironmentId): Promise<ConnectionTerms['sites']> {
    const control = await this.controls.find(environmentId, {});
    if (!control?.enabledAt) return null;
    const domains = await this.domains.listAll(environmentId);
    return { patterns: domains.map(({ domain }) => patternOf(domain)), areAdmitted: control.type === 'allow' };
  }

  /** Every site is admitted unless an access control is enabled. */
  async admits(environmentId: EnvironmentId, origin: string, tx: Transaction): Promise<boolean> {
    const control = await this.controls.find(environmentId, {}, tx);
    if (!control?.enabledAt) return true;
    const domains = await this.domains.listAll(environmentId, tx);
    return domains.some(({ domain }) => matchesOrigin(domain, origin)) === (control.type === 'allow');
  }
}

/** A site as a PostgreSQL regular expression; an asterisk matches one label or any port. */
const patternOf = (domain: string): string =>
  `^${domain
    .replace(/[.\\+?^$()[\]{}|]/g, '\\$&')
    .replace('//*', '//[a-z0-9](?:[a-z0-9-]*[a-z0-9])?')
    .replace(/:\*$/, '(?::[0-9]{1,5})?')}$`;
