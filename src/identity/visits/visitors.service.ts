import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { VisitorListRepository } from './visitor-list.repository.js';
import { visitorSearchOf } from './visitor-search.js';
import type { EnvironmentVisitorsResponse, ListVisitorsQuery, VisitorsResponse } from './visitor.dto.js';

/** Lets customers view visitors of their application. */
@Injectable()
export class VisitorsService {
  constructor(private readonly visitors: VisitorListRepository) {}

  /** @throws ApiError 400 for an unsupported order */
  async list(environmentId: EnvironmentId, query: ListVisitorsQuery): Promise<VisitorsResponse> {
    return this.visitors.listPage(environmentId, visitorSearchOf(query));
  }

  count(environmentId: EnvironmentId): Promise<EnvironmentVisitorsResponse> {
    return this.visitors.count(environmentId);
  }
}
