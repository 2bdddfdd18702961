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
      'Does not change the environment. The first report of each minute replaces the stored one. Operators read it with `cli analytics clients`.',
    errors: [422],
    limits: ['sdkContextProps and sdkConnectorSettings: 16 KB each', '1 stored report per minute and environment'],
  })
  @Public()
  @ReturnsNothing()
  logSdkSettings(@Environment() environmentId: EnvironmentId, @Body() report: ClientSettingsReport) {
    return this.reports.record(environmentId, report);
  }
}
