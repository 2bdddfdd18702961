import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { matchesOrigin, parseOrigin } from '../../environments/index.js';
import { AccessControlsRepository } from './access-controls.repository.js';
import type { ConnectionTerms } from './connections.repository.js';
import { DomainsRepository } from './domains.repository.js';

/** Which sites the global wallet of an environment may be connected to. */
@Injectable()
export class AdmittedSites {
  constructor(
    private readonly controls: AccessControlsRepository,
    private readonly domains: DomainsRepository,
    private readonly tenants: TenantDirectory,
  ) {}

  /** Whether the text is an origin as browsers write it; plain http of localhost is one in the sandbox alone. */
  async isSite(environmentId: EnvironmentId, origin: string): Promise<boolean> {
    const environment = await this.tenants.findEnvironment(environmentId);
    return environment !== null && !origin.includes('*') && parseOrigin(origin, environment.kind).origin === origin;
  }

  /** The same for connections that there are, which PostgreSQL compares; null where every site is admitted. */
  async terms(environmentId: EnvironmentId): Promise<ConnectionTerms['sites']> {
    const control = await this.controls.find(environmentId, {});
    if (!control?.enabledAt) return null;
    const domains = await this.domains.listAll(environmentId);
    return { patterns: domains.map(({ domain }) => patternOf(domain)), areAdmitted: control.type === 'allow' };
  }

  /** Without an access control that is enabled every site is admitted. */
  async admits(environmentId: EnvironmentId, origin: string, tx: Transaction): Promise<boolean> {
    const control = await this.controls.find(environmentId, {}, tx);
    if (!control?.enabledAt) return true;
    const domains = await this.domains.listAll(environmentId, tx);
    return domains.some(({ domain }) => matchesOrigin(domain, origin)) === (control.type === 'allow');
  }
}

/** A site as a regular expression of PostgreSQL, where a star stands for one label or for any port. */
const patternOf = (domain: string): string =>
  `^${domain
    .replace(/[.\\+?^$()[\]{}|]/g, '\\$&')
    .replace('//*', '//[a-z0-9](?:[a-z0-9-]*[a-z0-9])?')
    .replace(/:\*$/, '(?::[0-9]{1,5})?')}$`;
