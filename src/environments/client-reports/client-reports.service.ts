import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { ClientSettingsReport } from './client-report.dto.js';
import { ClientReportsRepository, type KeptReport } from './client-reports.repository.js';

/** What clients report about their settings and versions. */
@Injectable()
export class ClientReports {
  constructor(private readonly reports: ClientReportsRepository) {}

  /** Stores only the first report in a minute. */
  record(environmentId: EnvironmentId, report: ClientSettingsReport): Promise<void> {
    return this.reports.record(environmentId, report);
  }

  /** The last report; null when no client has sent one. */
  last(environmentId: EnvironmentId): Promise<KeptReport | null> {
    return this.reports.find(environmentId);
  }
}
