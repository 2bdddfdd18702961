import { Get, Put } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { ScreeningIntegration } from './screening.dto.js';
import { SCREENING_DISABLED, SCREENING_ENABLED } from './screening.events.js';
import { ScreeningService } from './screening.service.js';

@ApiController('environments/:environmentId/integrations/screening', 'Screening')
export class ScreeningController {
  constructor(private readonly screening: ScreeningService) {}

  @Get()
  @Operation({
    id: 'getScreeningByEnvironmentId',
    noHead: true,
    summary: "Read the screening integration's state",
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(ScreeningIntegration)
  getScreeningByEnvironmentId(@Environment() environmentId: EnvironmentId) {
    return this.screening.get(environmentId);
  }

  @Put('sanctions/enable')
  @Operation({
    id: 'enableSanctionsApiByEnvironmentId',
    summary: 'Turn sanctions screening on',
    description:
      'From now on every wallet is looked up at sign-in and refresh, and before it is linked or created: with the screening service of SANCTIONS_API_KEY, in the list imported with `screening import`, or both. Listed wallets are refused, and so is every wallet while a source does not answer.',
    errors: [422],
    events: [SCREENING_ENABLED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(ScreeningIntegration)
  enableSanctionsApiByEnvironmentId(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.screening.enable(environmentId, caller);
  }

  @Put('sanctions/disable')
  @Operation({
    id: 'disableSanctionsApiByEnvironmentId',
    summary: 'Turn sanctions screening off',
    events: [SCREENING_DISABLED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(ScreeningIntegration)
  disableSanctionsApiByEnvironmentId(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.screening.disable(environmentId, caller);
  }
}
