import { Body, Headers, Post } from '@nestjs/common';
import {
  Caller,
  ELEVATED_TOKEN_HEADER,
  EndUser,
  Environment,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../../auth/index.js';
import { ApiController, Operation, Returns } from '../../../common/http/operation.js';
import { StepUpCheckRequest, StepUpCheckResponse } from './step-up.dto.js';
import { StepUpChecks } from './step-up.service.js';

@ApiController('sdk/:environmentId/stepUp', 'Sdk')
export class StepUpController {
  constructor(private readonly checks: StepUpChecks) {}

  @Post('check')
  @Operation({
    id: 'checkStepUp',
    summary: "Check whether an action needs a recent proof, and which of the user's credentials can give it",
    description:
      'A proof is a sign-in or verification with the scope among its `requestedScopes`. The `elevatedAccessToken` in its answer is valid for five minutes in `x-elevated-access-token`; for `wallet:export` and `wallet:delegate` it is single-use.',
  })
  @EndUser()
  @Returns(StepUpCheckResponse)
  checkStepUp(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Headers(ELEVATED_TOKEN_HEADER) token: string | undefined,
    @Body() { scope }: StepUpCheckRequest,
  ) {
    return this.checks.check(environmentId, caller, scope, token ?? null);
  }
}
