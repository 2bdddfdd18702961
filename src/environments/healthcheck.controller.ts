import { Get } from '@nestjs/common';
import { Public } from '../auth/index.js';
import { ApiController, Operation, Returns } from '../common/http/operation.js';
import { HealthcheckResponse } from './healthcheck.dto.js';
import { HealthcheckService } from './healthcheck.service.js';

@ApiController('sdk/:environmentId/healthcheck', 'Sdk')
export class HealthcheckController {
  constructor(private readonly health: HealthcheckService) {}

  @Get()
  @Operation({
    id: 'getHealthcheck',
    summary: 'Report whether the service is up',
    description: '`healthy` means that the database answered within the last second.',
  })
  @Public()
  @Returns(HealthcheckResponse)
  getHealthcheck() {
    return this.health.status();
  }
}
