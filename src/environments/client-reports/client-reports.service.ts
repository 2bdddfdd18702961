import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { ClientSettingsReport } from './client-report.dto.js';
import { ClientReportsRepository, type KeptReport } from './client-reports.repository.js';

/** What clients say they run with. */
@Injectable()
export class ClientReports {
  constructor(private readonly reports: ClientReportsRepository) {}

  /** Keeps the first report of a minute. */
  record(environmentId: EnvironmentId, report: ClientSettingsReport): Promise<void> {
    return this.reports.record(environmentId, report);
  }

  /** What was said last; null where no client has said anything. */
  last(environmentId: EnvironmentId): Promise<KeptReport | null> {
    return this.reports.find(environmentId);
  }
}
