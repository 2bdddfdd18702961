import { Body, Post } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, ReturnsNothing } from '../../common/http/operation.js';
import { ClientSettingsReport } from './client-report.dto.js';
import { ClientReports } from './client-reports.service.js';

@ApiController('sdk/:environmentId/sdkSettings', 'Sdk')
export class ClientReportsController {
  constructor(private readonly reports: ClientReports) {}

  @Post()
  @Operation({
    id: 'logSdkSettings',
    summary: 'Record the settings a client runs with',
    description:
      'Changes nothing of the environment. Of the reports of a minute, the first is kept, in place of the last, for the operator to read (`cli analytics clients`).',
    errors: [422],
    limits: ['sdkContextProps and sdkConnectorSettings: 16 KB each', '1 report per minute and environment is kept'],
  })
  @Public()
  @ReturnsNothing()
  logSdkSettings(@Environment() environmentId: EnvironmentId, @Body() report: ClientSettingsReport) {
    return this.reports.record(environmentId, report);
  }
}
