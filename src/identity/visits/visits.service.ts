import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { ConnectRequest } from './visit.dto.js';
import { VisitorsRepository } from './visitors.repository.js';

/** Records connected wallets. Nothing is proven: anyone may report any address. */
@Injectable()
export class VisitsService {
  constructor(private readonly visitors: VisitorsRepository) {}

  async record(environmentId: EnvironmentId, visit: ConnectRequest): Promise<void> {
    await this.visitors.record(environmentId, visit);
  }
}
