import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, UnitOfWork, type EnvironmentId, type Transaction, type Work } from '../../database/index.js';
import { parseOrigin } from '../../environments/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type {
  AccessControlType,
  GlobalWalletAccessControlDomainResponse,
  GlobalWalletAccessControlResponse,
} from './access-control.dto.js';
import { AccessControlsRepository } from './access-controls.repository.js';
import { DomainsRepository, MAX_DOMAINS } from './domains.repository.js';
import type { AccessControlRow, DomainRow } from './global-wallet.entity.js';
import { invalidGlobalWalletDomain, tooManyGlobalWalletDomains } from './global-wallet.errors.js';
import {
  ACCESS_CONTROL_CREATED,
  ACCESS_CONTROL_DISABLED,
  ACCESS_CONTROL_ENABLED,
  ACCESS_CONTROL_UPDATED,
  DOMAIN_CREATED,
  DOMAIN_DELETED,
} from './global-wallet.events.js';

/** The sites that the global wallet of an environment may be connected to, as set by the team. */
@Injectable()
export class AccessControlService {
  constructor(
    private readonly controls: AccessControlsRepository,
    private readonly domains: DomainsRepository,
    private readonly tenants: TenantDirectory,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async get(environmentId: EnvironmentId): Promise<GlobalWalletAccessControlResponse> {
    const row = await this.controls.find(environmentId, {});
    if (!row) throw notFound();
    return shown(row, await this.domains.listAll(environmentId));
  }

  /** Created disabled. @throws duplicateExists */
  async create(
    environmentId: EnvironmentId,
    type: AccessControlType,
    actor: Actor,
    work: Work,
  ): Promise<GlobalWalletAccessControlResponse> {
    return work.run(async (tx) => {
      const row = await this.insert(environmentId, type, actor, tx);
      return shown(row, []);
    });
  }

  async update(
    environmentId: EnvironmentId,
    type: AccessControlType,
    actor: Actor,
  ): Promise<GlobalWalletAccessControlResponse> {
    return this.work.run(async (tx) => {
      const row = await this.held(environmentId, tx);
      return this.retype(environmentId, row, type, actor, tx);
    });
  }

  async setEnabled(
    environmentId: EnvironmentId,
    isEnabled: boolean,
    actor: Actor,
  ): Promise<GlobalWalletAccessControlResponse> {
    return this.work.run(async (tx) => {
      const row = await this.held(environmentId, tx);
      const domains = await this.domains.listAll(environmentId, tx);
      if (!(await this.controls.switch(environmentId, isEnabled, tx))) return shown(row, domains);
      const after = shown((await this.controls.find(environmentId, {}, tx))!, domains);
      const event = isEnabled ? ACCESS_CONTROL_ENABLED : ACCESS_CONTROL_DISABLED;
      const change = { event, resource: resourceOf(row.id), before: shown(row, domains), after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return after;
    });
  }

  /** @throws invalidGlobalWalletDomain, duplicateExists, tooManyGlobalWalletDomains, notFound */
  async addDomain(
    environmentId: EnvironmentId,
    text: string,
    actor: Actor,
    work: Work,
  ): Promise<GlobalWalletAccessControlDomainResponse> {
    const environment = await this.tenants.findEnvironment(environmentId);
    if (!environment) throw notFound();
    const { origin, refusal } = parseOrigin(text, environment.kind);
    if (origin === undefined) throw invalidGlobalWalletDomain({ hint: refusal });
    return work.run(async (tx) => {
      const row = await this.held(environmentId, tx);
      return this.insertDomain(environmentId, row.id, origin, actor, tx);
    });
  }

  async deleteDomain(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const row = await this.held(environmentId, tx);
      await this.removeDomain(environmentId, row.id, id, actor, tx);
    });
  }

  /** In the caller's transaction. @throws duplicateExists */
  async insert(
    environmentId: EnvironmentId,
    type: AccessControlType,
    actor: Actor,
    tx: Transaction,
  ): Promise<AccessControlRow> {
    const row = await this.controls.insertIfAbsent(environmentId, { id: newId(), type }, tx);
    if (!row) throw duplicateExists();
    const change = { event: ACCESS_CONTROL_CREATED, resource: resourceOf(row.id), before: null, after: shown(row, []) };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return row;
  }

  /** In the caller's transaction, which must hold the row. Setting the same type is a no-op and is not recorded. */
  async retype(
    environmentId: EnvironmentId,
    row: AccessControlRow,
    type: AccessControlType,
    actor: Actor,
    tx: Transaction,
  ): Promise<GlobalWalletAccessControlResponse> {
    const domains = await this.domains.listAll(environmentId, tx);
    if (row.type === type) return shown(row, domains);
    const [updated] = await this.controls.update(environmentId, { id: row.id }, { type }, tx);
    const [before, after] = [shown(row, domains), shown(updated!, domains)];
    const change = { event: ACCESS_CONTROL_UPDATED, resource: resourceOf(row.id), before, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** A parsed origin, in the caller's transaction, which must hold the access control. */
  async insertDomain(
    environmentId: EnvironmentId,
    accessControlId: string,
    domain: string,
    actor: Actor,
    tx: Transaction,
  ): Promise<GlobalWalletAccessControlDomainResponse> {
    const present = await this.domains.listAll(environmentId, tx);
    if (present.some((one) => one.domain === domain)) throw duplicateExists();
    if (present.length >= MAX_DOMAINS) throw tooManyGlobalWalletDomains();
    const after = shownDomain(await this.domains.insert(environmentId, { id: newId(), accessControlId, domain }, tx));
    const change = { event: DOMAIN_CREATED, resource: resourceOf(accessControlId), before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** In the caller's transaction, which must hold the access control. @throws notFound */
  async removeDomain(
    environmentId: EnvironmentId,
    accessControlId: string,
    id: string,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const row = await this.domains.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    await this.domains.delete(environmentId, { id }, tx);
    const [before, data] = [shownDomain(row), { id, domain: row.domain }];
    const change = { event: DOMAIN_DELETED, resource: resourceOf(accessControlId), before, after: null, data };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
  }

  /** Serialises changes in one environment, so that counts stay correct. @throws notFound */
  private async held(environmentId: EnvironmentId, tx: Transaction): Promise<AccessControlRow> {
    const row = await this.controls.hold(environmentId, tx);
    if (!row) throw notFound();
    return row;
  }
}

const shownDomain = ({ id, domain, createdAt }: DomainRow): GlobalWalletAccessControlDomainResponse => ({
  ...{ id, domain, createdAt },
});

const shown = (
  { id, environmentId, type, enabledAt }: AccessControlRow,
  domains: readonly DomainRow[],
): GlobalWalletAccessControlResponse => ({
  ...{ id, projectEnvironmentId: environmentId, type, enabledAt },
  domains: domains.map(shownDomain),
});

const resourceOf = (id: string) => ({ type: 'globalWalletAccessControl', id });
