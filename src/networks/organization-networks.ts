/* eslint-disable no-restricted-syntax -- the organization is read from an environment that the guard has admitted to */
import { Injectable } from '@nestjs/common';
import { mintOrganizationId, TenantDirectory, type EnvironmentId } from '../auth/index.js';
import type { CustomNetworkRow } from './custom-network.entity.js';
import { CustomNetworksRepository } from './custom-networks.repository.js';

/** The networks that the organization of an environment has added. */
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
