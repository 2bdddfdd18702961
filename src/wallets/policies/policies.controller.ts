import { Body, Delete, Get, Post, Put } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { MOST_RULES, PoliciesService } from './policies.service.js';
import {
  WaasPolicyCreateRequest,
  WaasPolicyDeleteRequest,
  WaasPolicyResponse,
  WaasPolicyUpdateRequest,
} from './policy.dto.js';
import { POLICY_CREATED, POLICY_UPDATED } from './policy.events.js';
import { WaasPolicyTrial, WaasPolicyTrialRequest } from './policy-trial.dto.js';
import { PolicyTrialService } from './policy-trial.service.js';

const READ = { scope: 'environment.settings.read', role: 'viewer' } as const;
const WRITE = { scope: 'environment.settings.write', role: 'admin' } as const;

@ApiController('environments/:environmentId/waas/policies', 'Waas')
export class PoliciesController {
  constructor(
    private readonly policies: PoliciesService,
    private readonly trials: PolicyTrialService,
  ) {}

  @Get()
  @Operation({
    id: 'getWaasPolicy',
    summary: 'Read the signing policy',
    description: '404 if the environment has none; then everything that can be parsed is signed.',
  })
  @Dashboard(READ)
  @Returns(WaasPolicyResponse)
  getWaasPolicy(@Environment() environmentId: EnvironmentId) {
    return this.policies.get(environmentId);
  }

  @Post()
  @Operation({
    id: 'createWaasPolicy',
    idempotent: true,
    summary: 'Add rules to the signing policy, creating it if absent',
    description:
      'Rules are evaluated before each signature, against what is parsed from the bytes to be signed. Once there is an allow rule, only requests that match an allow rule are signed, on any chain. See docs/signing-policies.md.',
    errors: [422],
    events: [POLICY_CREATED.name, POLICY_UPDATED.name],
    limits: [`${MOST_RULES} rules per environment`, '16 KB of JSON per rule'],
  })
  @Dashboard(WRITE)
  @Returns(WaasPolicyResponse, { status: 201 })
  createWaasPolicy(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { rulesToAdd }: WaasPolicyCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.policies.add(environmentId, rulesToAdd, caller, work);
  }

  @Put()
  @Operation({
    id: 'updateWaasPolicy',
    summary: 'Change signing-policy rules by rule id',
    description:
      'Each rule is replaced as a whole; the amounts that wallets have already used of its total are kept. Either all rules are changed or none.',
    errors: [422],
    events: [POLICY_UPDATED.name],
  })
  @Dashboard(WRITE)
  @Returns(WaasPolicyResponse)
  updateWaasPolicy(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { rulesToUpdate }: WaasPolicyUpdateRequest,
  ) {
    return this.policies.update(environmentId, rulesToUpdate, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteWaasPolicy',
    summary: 'Remove signing-policy rules by rule id',
    description:
      'Either all rules are removed or none. Without an allow rule, everything is signed that no rule denies; the message in the answer states which applies.',
    errors: [422],
    events: [POLICY_UPDATED.name],
  })
  @Dashboard(WRITE)
  @Returns(WaasPolicyResponse)
  deleteWaasPolicy(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() { ruleIdsToDelete }: WaasPolicyDeleteRequest,
  ) {
    return this.policies.remove(environmentId, ruleIdsToDelete, caller);
  }

  @Post('trial')
  @Operation({
    id: 'tryWaasPolicy',
    summary: 'Show what the signing policy would decide about a signature, and why',
    description:
      'Nothing is signed or counted towards a total. Each effect that the signature would authorise is listed with the finding of every rule.',
    errors: [422],
  })
  @Dashboard(READ)
  @Returns(WaasPolicyTrial)
  tryWaasPolicy(@Environment() environmentId: EnvironmentId, @Body() request: WaasPolicyTrialRequest) {
    return this.trials.judge(environmentId, request);
  }
}
