/* eslint-disable no-restricted-syntax -- the organization is read from an environment that the guard has admitted to */
import { Injectable } from '@nestjs/common';
import { mintOrganizationId, TenantDirectory, type EnvironmentId } from '../auth/index.js';
import type { CustomNetworkRow } from './custom-network.entity.js';
import { CustomNetworksRepository } from './custom-networks.repository.js';

/** The networks added by an environment's organization. */
@Injectable()
export class OrganizationNetworks {
  constructor(
    private readonly networks: CustomNetworksRepository,
    private readonly tenants: TenantDirectory,
  ) {}

  async of(environmentId: EnvironmentId): Promise<CustomNetworkRow[]> {
    const organizationId = (await this.tenants.findEnvironment(environmentId))?.organizationId;
    return organizationId ? this.networks.listAll(mintOrganizationId(organizationId)) : [];
  }
}
