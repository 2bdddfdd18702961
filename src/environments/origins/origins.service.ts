import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { duplicateExists, UnitOfWork, type Transaction } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { OriginPolicy } from './origin-policy.js';
import type { Origin, OriginCreateRequest, OriginCreateResponse, OriginsResponse } from './origin.dto.js';
import type { OriginEntity } from './origin.entity.js';
import { invalidCorsOrigins, tooManyOrigins } from './origin.errors.js';
import { ORIGIN_CREATED, ORIGIN_DELETED } from './origin.events.js';
import { OriginsRepository } from './origins.repository.js';
import { parseOrigin } from './parse-origin.js';

const MAX_PER_ENVIRONMENT = 100;

const shown = ({ id, origin, createdAt, environmentId }: OriginEntity): Origin => ({
  id,
  origin,
  createdAt,
  projectEnvironmentId: environmentId,
});

/** The sites that browsers may call an environment from. */
@Injectable()
export class OriginsService {
  constructor(
    private readonly origins: OriginsRepository,
    private readonly policy: OriginPolicy,
    private readonly tenants: TenantDirectory,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<OriginsResponse> {
    const rows = await this.origins.list(environmentId, {}, { orderBy: 'id', limit: MAX_PER_ENVIRONMENT });
    return { origins: rows.map(shown) };
  }

  /** @throws invalidCorsOrigins, duplicateExists, tooManyOrigins */
  async add(
    environmentId: EnvironmentId,
    request: OriginCreateRequest,
    actor: Actor,
  ): Promise<Required<OriginCreateResponse>> {
    const environment = await this.tenants.findEnvironment(environmentId);
    if (!environment) throw notFound();
    const { origin, refusal } = parseOrigin(request.origin, environment.kind);
    if (origin === undefined) throw invalidCorsOrigins({ hint: refusal });
    return { origin: await this.work.run((tx) => this.insert(environmentId, origin, actor, tx)) };
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.remove(environmentId, id, actor, tx));
  }

  /** In a transaction of the caller, who has parsed the origin. @throws duplicateExists, tooManyOrigins */
  async insert(environmentId: EnvironmentId, origin: string, actor: Actor, tx: Transaction): Promise<Origin> {
    const row = await this.origins.insertWithin(MAX_PER_ENVIRONMENT, environmentId, { id: newId(), origin }, tx);
    if (!row) throw (await this.origins.find(environmentId, { origin }, tx)) ? duplicateExists() : tooManyOrigins();
    const after = shown(row);
    const change = { event: ORIGIN_CREATED, resource: { type: 'origin', id: row.id }, before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.policy.forget(environmentId));
    return after;
  }

  /** In a transaction of the caller. @throws notFound */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.origins.lock(environmentId, { id }, tx);
    if (!row || (await this.origins.delete(environmentId, { id }, tx)) === 0) throw notFound();
    const [before, data] = [shown(row), { id, origin: row.origin }];
    const change = { event: ORIGIN_DELETED, resource: { type: 'origin', id }, before, after: null, data };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.policy.forget(environmentId));
  }
}
