import { Delete, Get, Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { TestAccountResponse } from './test-account.dto.js';
import { TEST_ACCOUNT_CREATED, TEST_ACCOUNT_DELETED } from './test-account.events.js';
import { TestAccountService } from './test-account.service.js';

@ApiController('environments/:environmentId/test/account', 'TestAccount')
export class TestAccountController {
  constructor(private readonly accounts: TestAccountService) {}

  @Get()
  @Operation({
    id: 'getTestAccount',
    summary: 'Read the test account',
    description: 'Includes its code, so viewers cannot read it.',
    errors: [422],
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'developer' })
  @Returns(TestAccountResponse)
  getTestAccount(@Environment() environmentId: EnvironmentId) {
    return this.accounts.get(environmentId);
  }

  @Post()
  @Operation({
    id: 'createTestAccount',
    idempotent: true,
    summary: "Create the environment's test account with a fixed code",
    description:
      'For automated tests and reviewers, who sign in with its address and code: verification works as for any other address, but no message is sent. Address and code are random and valid only in this environment, sandbox or live.',
    errors: [400, 422],
    events: [TEST_ACCOUNT_CREATED.name],
    limits: ['1 test account per environment', 'the limits on email codes apply to its address too'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(TestAccountResponse, { status: 201 })
  createTestAccount(
    @Environment() environmentId: EnvironmentId,
    @Caller() actor: DashboardPrincipal,
    @CallWork() work: Work,
  ) {
    return this.accounts.create(environmentId, actor, work);
  }

  @Delete()
  @Operation({
    id: 'deleteTestAccount',
    summary: 'Delete the test account',
    description:
      'Its code is refused from this moment on, and everybody who signed in with it is signed out. Their user remains.',
    errors: [422],
    events: [TEST_ACCOUNT_DELETED.name, 'user.session.revoked'],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ReturnsNothing()
  deleteTestAccount(@Environment() environmentId: EnvironmentId, @Caller() actor: DashboardPrincipal) {
    return this.accounts.delete(environmentId, actor);
  }
}
