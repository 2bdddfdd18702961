import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { NameHandles, HandleDirectory } from '../../identity/index.js';
import { handleOf } from './domain-names.js';
import type { OwnName, OwnNameRequest } from './name-service.dto.js';
import type { NameServiceRow } from './name-service.entity.js';
import { invalidHandle, nameTaken, walletHasName, walletNotProven } from './name-service.errors.js';
import { NAME_CLAIMED, NAME_RELEASED } from './name-service.events.js';
import { NameServicesRepository } from './name-services.repository.js';
import { WalletNamesRepository } from './wallet-names.repository.js';

const CHAIN = 'EVM';

/** Names that users give their wallets. */
@Injectable()
export class OwnNames extends NameHandles implements OnModuleInit {
  constructor(
    private readonly names: WalletNamesRepository,
    private readonly services: NameServicesRepository,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
    private readonly directory: HandleDirectory,
  ) {
    super();
  }

  onModuleInit(): void {
    this.directory.register(this);
  }

  override async isFree(environmentId: EnvironmentId, text: string): Promise<boolean | null> {
    const service = await this.services.find(environmentId, { chain: CHAIN });
    if (!service?.enabledAt) return null;
    const handle = handleOf(text);
    if (handle === null) throw invalidHandle();
    return this.names.isFree(environmentId, service.id, handle);
  }

  /**
   * Of concurrent callers who want a name, one gets it. Idempotent.
   * @throws notFound where no names are issued, invalidHandle, walletNotProven, walletHasName, nameTaken
   */
  async claim(environmentId: EnvironmentId, { userId }: EndUserPrincipal, request: OwnNameRequest): Promise<OwnName> {
    const service = await this.enabled(environmentId);
    const handle = handleOf(request.handle);
    if (handle === null) throw invalidHandle();
    return this.work.run(async (tx) => {
      const id = newId();
      const wanted = { id, serviceId: service.id, handle, userId, address: request.address };
      const isClaimed = await this.names.claim(environmentId, wanted, tx);
      const wallet = await this.names.findOwn(environmentId, userId, request.address, tx);
      if (!wallet) throw walletNotProven();
      const name = { handle, address: wallet.address, name: `${handle}.${service.domain}` };
      if (!isClaimed) {
        if (wallet.handle === handle) return name;
        throw wallet.handle === null ? nameTaken() : walletHasName();
      }
      const draft = { event: NAME_CLAIMED, resourceId: id, data: { ...name, userId }, userId };
      await this.outbox.append(environmentId, [draft], tx);
      return name;
    });
  }

  /** @throws notFound */
  async release(environmentId: EnvironmentId, { userId }: EndUserPrincipal, text: string): Promise<void> {
    const service = await this.services.find(environmentId, { chain: CHAIN });
    const handle = handleOf(text);
    if (!service || handle === null) throw notFound();
    await this.work.run(async (tx) => {
      const resourceId = await this.names.release(environmentId, userId, handle, tx);
      if (resourceId === null) throw notFound();
      const data = { name: `${handle}.${service.domain}`, userId };
      await this.outbox.append(environmentId, [{ event: NAME_RELEASED, resourceId, data, userId }], tx);
    });
  }

  private async enabled(environmentId: EnvironmentId): Promise<NameServiceRow> {
    const service = await this.services.find(environmentId, { chain: CHAIN });
    if (!service?.enabledAt) throw notFound();
    return service;
  }
}
