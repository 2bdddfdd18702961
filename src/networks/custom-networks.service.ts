import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { projectionOf } from '../common/fields/index.js';
import { newId } from '../common/ids.js';
import { duplicateExists, UnitOfWork, violatedConstraint, type Transaction, type Work } from '../database/index.js';
import { ChangeLog, type Actor } from '../organizations/index.js';
import { chainOf } from './configuration/network-configuration.js';
import { CustomNetwork, type CustomNetworkRequest } from './custom-network.dto.js';
import { CUSTOM_NETWORK_ONCE, type CustomNetworkRow } from './custom-network.entity.js';
import { fractionalDecimals, tooManyCustomNetworks } from './custom-network.errors.js';
import { CUSTOM_NETWORK_CREATED, CUSTOM_NETWORK_DELETED, CUSTOM_NETWORK_UPDATED } from './custom-network.events.js';
import { CustomNetworksRepository, MAX_CUSTOM_NETWORKS } from './custom-networks.repository.js';
import { NetworkUrls } from './network-urls.js';

interface Shown {
  customNetwork: CustomNetwork;
}

/** An organization's networks in addition to those of the catalogue. */
@Injectable()
export class CustomNetworksService {
  constructor(
    private readonly networks: CustomNetworksRepository,
    private readonly urls: NetworkUrls,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(organizationId: OrganizationId): Promise<{ customNetworks: Shown[] }> {
    const rows = await this.networks.listAll(organizationId);
    return { customNetworks: rows.map((row) => ({ customNetwork: shown(row) })) };
  }

  async get(organizationId: OrganizationId, id: string): Promise<Shown> {
    const row = await this.networks.find(organizationId, { id });
    if (!row) throw notFound();
    return { customNetwork: shown(row) };
  }

  /** @throws networkUrlRefused, fractionalDecimals, duplicateExists, tooManyCustomNetworks */
  async create(
    organizationId: OrganizationId,
    request: CustomNetworkRequest,
    actor: Actor,
    work: Work,
  ): Promise<Shown> {
    this.assertSound(request);
    const id = newId();
    return work
      .run(async (tx) => {
        const row = await this.networks.insertWithinLimit(organizationId, { ...request, id }, tx);
        if (!row) throw tooManyCustomNetworks();
        await this.assertOnly(organizationId, row, tx);
        const after = shown(row);
        const change = { event: CUSTOM_NETWORK_CREATED, resource: resourceOf(id), before: null, after };
        await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
        return { customNetwork: after };
      })
      .catch(isTaken);
  }

  /** @throws networkUrlRefused, fractionalDecimals, duplicateExists */
  async update(
    organizationId: OrganizationId,
    id: string,
    request: CustomNetworkRequest,
    actor: Actor,
  ): Promise<Shown> {
    this.assertSound(request);
    return this.work
      .run(async (tx) => {
        const row = (await this.networks.lockEvery(organizationId, 'id', tx)).find((own) => own.id === id);
        const [updated] = row ? await this.networks.update(organizationId, { id }, request, tx) : [];
        if (!row || !updated) throw notFound();
        if (isMoved(row, updated)) await this.assertOnly(organizationId, updated, tx);
        const [before, after] = [shown(row), shown(updated)];
        const change = { event: CUSTOM_NETWORK_UPDATED, resource: resourceOf(id), before, after };
        await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
        return { customNetwork: after };
      })
      .catch(isTaken);
  }

  async delete(organizationId: OrganizationId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const row = await this.networks.lock(organizationId, { id }, tx);
      if (!row) throw notFound();
      await this.networks.delete(organizationId, { id }, tx);
      const before = shown(row);
      const change = { event: CUSTOM_NETWORK_DELETED, resource: resourceOf(id), before, after: null, data: before };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    });
  }

  /** ETH and EVM are one chain: of two networks with one number, environments would only ever use the older. */
  private async assertOnly(
    organizationId: OrganizationId,
    { id, networkType, chainId }: CustomNetworkRow,
    tx: Transaction,
  ): Promise<void> {
    const numbered = await this.networks.list(organizationId, { chainId }, { limit: MAX_CUSTOM_NETWORKS }, tx);
    const isTwin = (other: CustomNetworkRow): boolean =>
      other.id !== id && chainOf(other.networkType) === chainOf(networkType);
    if (numbered.some(isTwin)) throw duplicateExists(TAKEN);
  }

  private assertSound(request: CustomNetworkRequest): void {
    this.urls.assertAllowed(request);
    if (!Number.isInteger(request.nativeCurrencyDecimals)) throw fractionalDecimals();
  }
}

const shown = projectionOf(CustomNetwork) as (row: object) => CustomNetwork;
const isMoved = (before: CustomNetworkRow, after: CustomNetworkRow): boolean =>
  before.networkType !== after.networkType || before.chainId !== after.chainId;
const resourceOf = (id: string) => ({ type: 'customNetwork', id });

const TAKEN = {
  message: 'The organization has a network with this type and number already.',
  hint: 'Change the network that has this networkType and chainId; ETH and EVM are one type.',
};

/** The unique index decides which of two networks with the same number is created. */
function isTaken(error: unknown): never {
  throw violatedConstraint(error) === CUSTOM_NETWORK_ONCE ? duplicateExists({ ...TAKEN, cause: error }) : error;
}
