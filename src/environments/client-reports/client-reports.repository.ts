import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, scopedStatement } from '../../database/index.js';
import type { ClientReport } from './client-report.entity.js';
import type { ClientSettingsReport } from './client-report.dto.js';

export type KeptReport = Pick<ClientReport, 'report' | 'reportedAt'>;

/** At most one write per minute and environment, whatever its clients send; of concurrent calls, one matches. */
const RECORD = scopedStatement(
  'clientReports.record',
  `INSERT INTO client_reports AS r (environment_id, report) VALUES ($1, $2)
   ON CONFLICT (environment_id) DO UPDATE SET report = $2, reported_at = now()
   WHERE r.reported_at <= now() - interval '1 minute'`,
);

const FIND = scopedStatement(
  'clientReports.find',
  'SELECT report, reported_at AS "reportedAt" FROM client_reports WHERE environment_id = $1',
);

@Injectable()
export class ClientReportsRepository {
  constructor(private readonly database: Database) {}

  async record(environmentId: EnvironmentId, report: ClientSettingsReport): Promise<void> {
    await this.database.execute(RECORD, [environmentId, JSON.stringify(report)]);
  }

  async find(environmentId: EnvironmentId): Promise<KeptReport | null> {
    return (await this.database.rows<KeptReport>(FIND, [environmentId]))[0] ?? null;
  }
}
