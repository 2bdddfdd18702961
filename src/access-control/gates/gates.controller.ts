import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { Gate, GateCreateRequest, GatesResponse, GateUpdateRequest } from './gate.dto.js';
import { GATE_CREATED, GATE_DELETED, GATE_DISABLED, GATE_ENABLED, GATE_UPDATED } from './gate.events.js';
import { GateTrial, GateTrialQuery } from './gate-trial.dto.js';
import { GateTrialService } from './gate-trial.service.js';
import { GatesService } from './gates.service.js';

const RULES = ['1 to 20 rules per gate', 'scope: 1 to 64 characters, not one that the service itself uses'];
const READ = { scope: 'environment.settings.read', role: 'viewer' } as const;
const WRITE = { scope: 'environment.settings.write', role: 'developer' } as const;

@ApiController('environments/:environmentId/gates', 'Gates')
export class GatesController {
  constructor(
    private readonly gates: GatesService,
    private readonly trials: GateTrialService,
  ) {}

  @Get()
  @Operation({ id: 'getEnvironmentGates', summary: 'List the access gates' })
  @Dashboard(READ)
  @Returns(GatesResponse)
  getEnvironmentGates(@Environment() environmentId: EnvironmentId) {
    return this.gates.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createGate',
    idempotent: true,
    summary: 'Create a gate, disabled',
    description:
      'A gate applies to a user when all of its rules hold; holdings of all proven wallets of the user are added up. Enabled gates are evaluated at sign-in and refresh. If a chain cannot be read, siteAccess and block refuse, and a scope is not granted.',
    errors: [422],
    events: [GATE_CREATED.name],
    limits: ['50 gates per environment', ...RULES],
  })
  @Dashboard(WRITE)
  @Returns(Gate, { status: 201 })
  createGate(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: GateCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.gates.create(environmentId, request, caller, work);
  }

  @Get(':gateId')
  @Operation({ id: 'getGate', summary: 'Read one gate', errors: [400, 422] })
  @Dashboard(READ)
  @Returns(Gate)
  getGate(@Environment() environmentId: EnvironmentId, @IdParam('gateId') id: string) {
    return this.gates.get(environmentId, id);
  }

  @Put(':gateId')
  @Operation({
    id: 'updateGate',
    summary: 'Change a gate without changing its enabled state',
    description: 'Omitted fields keep their values. An empty scope removes the scope; the outcome scope needs one.',
    errors: [422],
    events: [GATE_UPDATED.name],
    limits: RULES,
  })
  @Dashboard(WRITE)
  @Returns(Gate)
  updateGate(
    @Environment() environmentId: EnvironmentId,
    @IdParam('gateId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: GateUpdateRequest,
  ) {
    return this.gates.update(environmentId, id, request, caller);
  }

  @Delete(':gateId')
  @Operation({ id: 'deleteGate', summary: 'Delete a gate', events: [GATE_DELETED.name] })
  @Dashboard(WRITE)
  @ReturnsNothing()
  deleteGate(
    @Environment() environmentId: EnvironmentId,
    @IdParam('gateId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.gates.delete(environmentId, id, caller);
  }

  @Put(':gateId/enable')
  @Operation({
    id: 'enableGate',
    summary: 'Turn a gate on',
    description:
      'Takes effect within a second, for users who sign in or refresh from then on. Those who are signed in are checked within minutes.',
    errors: [422],
    events: [GATE_ENABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(Gate)
  enableGate(
    @Environment() environmentId: EnvironmentId,
    @IdParam('gateId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.gates.setEnabled(environmentId, id, true, caller);
  }

  @Put(':gateId/disable')
  @Operation({ id: 'disableGate', summary: 'Turn a gate off', events: [GATE_DISABLED.name] })
  @Dashboard(WRITE)
  @Returns(Gate)
  disableGate(
    @Environment() environmentId: EnvironmentId,
    @IdParam('gateId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.gates.setEnabled(environmentId, id, false, caller);
  }

  @Get(':gateId/trial')
  @Operation({
    id: 'getGateTrial',
    summary: 'Try a gate on a user or an address',
    description:
      'Evaluates the gate as a sign-in would, whether or not it is enabled, and explains the outcome: for each rule the wallets and their holdings, the required amount, the block and the age of the answer. Amounts are in base units.',
  })
  @Dashboard({ scope: 'environment.users.read', role: 'viewer' })
  @Returns(GateTrial)
  getGateTrial(
    @Environment() environmentId: EnvironmentId,
    @IdParam('gateId') id: string,
    @Query() query: GateTrialQuery,
  ) {
    return this.trials.judge(environmentId, id, query);
  }
}
