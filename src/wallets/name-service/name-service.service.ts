import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { notFound, validationFailed } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, violatedConstraint, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { DomainProofs, type OwnedDomain } from './domain-proofs.js';
import type {
  NameServiceCreateRequest,
  NameServiceSettings,
  NameServiceSigningMessage,
  NameServiceSigningMessageRequest,
} from './name-service.dto.js';
import { ENABLED_DOMAIN, SERVICE_OF_CHAIN, type NameServiceRow } from './name-service.entity.js';
import { domainInUse, nameServiceExists } from './name-service.errors.js';
import {
  NAME_SERVICE_CREATED,
  NAME_SERVICE_DELETED,
  NAME_SERVICE_DISABLED,
  NAME_SERVICE_ENABLED,
} from './name-service.events.js';
import { NameServicesRepository } from './name-services.repository.js';
import { NameSignerKeys } from './name-signer-keys.js';
import { chainWithNames, ownedDomainOf } from './owned-domain.js';

const MAX_URI = 2_048;
const NO_PAGE = {
  field: 'uri',
  message: 'uri must be the address of a page: http or https, on a domain, localhost or IPv4 address, 2048 characters',
};

/** Sets up the domain of an environment. */
@Injectable()
export class NameServiceService {
  constructor(
    private readonly services: NameServicesRepository,
    private readonly proofs: DomainProofs,
    private readonly keys: NameSignerKeys,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly config: Config,
  ) {}

  async get(environmentId: EnvironmentId, chainName: string): Promise<NameServiceSettings> {
    return this.shown(await this.find(environmentId, chainName));
  }

  /** @throws invalidDomain, nameServiceNotSupported, validationFailed */
  async message(
    environmentId: EnvironmentId,
    chainName: string,
    request: NameServiceSigningMessageRequest,
  ): Promise<NameServiceSigningMessage> {
    const owned = ownedDomainOf(chainName, request);
    const page = URL.canParse(request.uri) ? new URL(request.uri) : null;
    const isPage = page !== null && /^https?:$/.test(page.protocol) && request.uri.length <= MAX_URI;
    const unsignedMessage = isPage ? await this.proofs.message(environmentId, owned, page) : null;
    if (unsignedMessage === null) throw validationFailed({ payload: { fields: [NO_PAGE] } });
    return { unsignedMessage };
  }

  /** @throws invalidDomain, invalidNameProof, notDomainOwner, domainUnreadable, nameServiceExists */
  async create(
    environmentId: EnvironmentId,
    chainName: string,
    request: NameServiceCreateRequest,
    actor: Actor,
  ): Promise<NameServiceSettings> {
    const owned = ownedDomainOf(chainName, request);
    if (await this.services.find(environmentId, { chain: owned.chain })) throw nameServiceExists();
    await this.proofs.verify(environmentId, owned, request.signature);
    return this.work.run((tx) => this.insert(environmentId, owned, actor, tx));
  }

  /** A domain whose owner has agreed, in the caller's transaction. @throws nameServiceExists */
  async insert(
    environmentId: EnvironmentId,
    { chain, domain, address }: OwnedDomain,
    actor: Actor,
    tx: Transaction,
  ): Promise<NameServiceSettings> {
    const row = await this.services
      .insert(environmentId, { id: newId(), chain, domain, address }, tx)
      .catch((error: unknown) => {
        throw violatedConstraint(error) === SERVICE_OF_CHAIN ? nameServiceExists({ cause: error }) : error;
      });
    const after = this.shown(row);
    const change = { event: NAME_SERVICE_CREATED, resource: resourceOf(row.id), before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** Domains are sold, so the registry is asked again. @throws notDomainOwner, domainUnreadable, domainInUse */
  async enable(environmentId: EnvironmentId, chainName: string, actor: Actor): Promise<NameServiceSettings> {
    const row = await this.find(environmentId, chainName);
    if (row.enabledAt) return this.shown(row);
    await this.proofs.assertOwner(environmentId, { ...row, address: row.address as `0x${string}` });
    const signer = row.sealedKey ? null : await this.keys.make(row);
    return this.work
      .run((tx) =>
        this.switch(environmentId, row, actor, NAME_SERVICE_ENABLED, tx, () =>
          this.services.enable(environmentId, row.id, signer, tx),
        ),
      )
      .catch((error: unknown) => {
        throw violatedConstraint(error) === ENABLED_DOMAIN ? domainInUse({ cause: error }) : error;
      });
  }

  async disable(environmentId: EnvironmentId, chainName: string, actor: Actor): Promise<NameServiceSettings> {
    const row = await this.find(environmentId, chainName);
    return this.work.run((tx) =>
      this.switch(environmentId, row, actor, NAME_SERVICE_DISABLED, tx, () =>
        this.services.disable(environmentId, row.id, tx),
      ),
    );
  }

  async delete(environmentId: EnvironmentId, chainName: string, actor: Actor): Promise<void> {
    const chain = chainWithNames(chainName);
    await this.work.run((tx) => this.remove(environmentId, chain, actor, tx));
  }

  /** With the names below the domain, in the caller's transaction. @throws notFound */
  async remove(environmentId: EnvironmentId, chain: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.services.lock(environmentId, { chain }, tx);
    if (!row) throw notFound();
    await this.services.delete(environmentId, { id: row.id }, tx);
    const before = this.shown(row);
    const change = { event: NAME_SERVICE_DELETED, resource: resourceOf(row.id), before, after: null, data: before };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
  }

  private async switch(
    environmentId: EnvironmentId,
    { id }: NameServiceRow,
    actor: Actor,
    event: typeof NAME_SERVICE_ENABLED,
    tx: Transaction,
    change: () => Promise<boolean>,
  ): Promise<NameServiceSettings> {
    const row = await this.services.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    const before = this.shown(row);
    if (!(await change())) return before;
    const after = this.shown((await this.services.find(environmentId, { id }, tx))!);
    await this.changes.record({ scope: { environmentId }, actor, event, resource: resourceOf(id), before, after }, tx);
    return after;
  }

  private async find(environmentId: EnvironmentId, chainName: string): Promise<NameServiceRow> {
    const row = await this.services.find(environmentId, { chain: chainWithNames(chainName) });
    if (!row) throw notFound();
    return row;
  }

  private shown(row: NameServiceRow): NameServiceSettings {
    const { environmentId, id, address, domain, enabledAt, signerAddress } = row;
    return {
      ...{ id, address, domain, enabledAt },
      ...(signerAddress !== null && { signerAddress }),
      gatewayUrl: `${this.config.publicUrl}/api/v0/sdk/${environmentId}/nameService/{sender}/{data}`,
    };
  }
}

const resourceOf = (id: string) => ({ type: 'nameService', id });
