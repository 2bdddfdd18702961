import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type Transaction, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { TextSetService, type TextSetTerms } from '../text-sets/text-set.service.js';
import { OriginPolicy } from './origin-policy.js';
import type { Origin, OriginCreateRequest, OriginCreateResponse, OriginsResponse } from './origin.dto.js';
import type { OriginEntity } from './origin.entity.js';
import { invalidCorsOrigins, tooManyOrigins } from './origin.errors.js';
import { ORIGIN_CREATED, ORIGIN_DELETED } from './origin.events.js';
import { OriginsRepository } from './origins.repository.js';
import { parseOrigin } from './parse-origin.js';

/** The sites from which browsers may call an environment. */
@Injectable()
export class OriginsService extends TextSetService<OriginEntity, Origin> {
  protected override readonly terms: TextSetTerms<OriginEntity, Origin> = {
    most: 100,
    tooMany: tooManyOrigins,
    resource: 'origin',
    field: 'origin',
    created: ORIGIN_CREATED,
    deleted: ORIGIN_DELETED,
    shown: ({ id, origin, createdAt, environmentId }) => ({
      id,
      origin,
      createdAt,
      projectEnvironmentId: environmentId,
    }),
  };

  constructor(
    origins: OriginsRepository,
    work: UnitOfWork,
    changes: ChangeLog,
    private readonly policy: OriginPolicy,
    private readonly tenants: TenantDirectory,
  ) {
    super(origins, work, changes);
  }

  async list(environmentId: EnvironmentId): Promise<OriginsResponse> {
    return { origins: await this.all(environmentId) };
  }

  /** @throws invalidCorsOrigins, duplicateExists, tooManyOrigins */
  async add(
    environmentId: EnvironmentId,
    request: OriginCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<Required<OriginCreateResponse>> {
    const environment = await this.tenants.findEnvironment(environmentId);
    if (!environment) throw notFound();
    const { origin, refusal } = parseOrigin(request.origin, environment.kind);
    if (origin === undefined) throw invalidCorsOrigins({ hint: refusal });
    return { origin: await work.run((tx) => this.insert(environmentId, origin, actor, tx)) };
  }

  protected override changed(environmentId: EnvironmentId, tx: Transaction): void {
    tx.afterCommit(() => this.policy.forget(environmentId));
  }
}
