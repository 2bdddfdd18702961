import { Get, Query } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../auth/index.js';
import { ApiController, Operation } from '../common/http/operation.js';
import { ClientSettingsQuery } from './client-settings.dto.js';
import { ClientSettingsService } from './client-settings.service.js';
import { ReturnsSettings } from './returns-settings.js';

@ApiController('sdk/:environmentId/settings', 'Sdk')
export class ClientSettingsController {
  constructor(private readonly settings: ClientSettingsService) {}

  @Get()
  @Operation({
    id: 'getEnvironmentSettings',
    summary: "Give clients the environment's public settings",
  })
  @Public()
  @ReturnsSettings()
  getEnvironmentSettings(@Environment() environmentId: EnvironmentId, @Query() _query: ClientSettingsQuery) {
    return this.settings.get(environmentId);
  }
}
