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
    summary: "Read the screening integration's status",
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
      'From now on every wallet is screened at sign-in and refresh, and before it is linked or created: by the screening service of SANCTIONS_API_KEY, against the list that `screening import` loaded, or both. A listed wallet is refused and reported; every wallet is refused while a source is unavailable.',
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
