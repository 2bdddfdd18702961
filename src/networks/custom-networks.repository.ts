import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { Database, OrganizationRepository, type Transaction } from '../database/index.js';
import type { CustomNetworkRequest } from './custom-network.dto.js';
import { CustomNetworkRow } from './custom-network.entity.js';

export const MAX_CUSTOM_NETWORKS = 100;

@Injectable()
export class CustomNetworksRepository extends OrganizationRepository<CustomNetworkRow> {
  constructor(database: Database) {
    super(database, CustomNetworkRow);
  }

  /** In creation order. */
  listAll(organizationId: OrganizationId): Promise<CustomNetworkRow[]> {
    return this.list(organizationId, {}, { orderBy: 'id', limit: MAX_CUSTOM_NETWORKS });
  }

  /** Null if the organization has reached its limit. Its creations are serialised, so that none exceeds it. */
  insertWithinLimit(
    organizationId: OrganizationId,
    network: CustomNetworkRequest & { id: string },
    tx: Transaction,
  ): Promise<CustomNetworkRow | null> {
    return this.insertIfRoom(MAX_CUSTOM_NETWORKS, organizationId, network, tx, 'throw');
  }
}
