import { Get, Query } from '@nestjs/common';
import { Caller, EndUser, Environment, type EndUserPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { UserFieldsCheckResponse } from './fields-check.dto.js';
import { FieldsCheckService } from './fields-check.service.js';
import { UserFieldsCheckQuery } from './user-query.dto.js';

@ApiController('sdk/:environmentId/users', 'Sdk')
export class FieldsCheckController {
  constructor(private readonly fields: FieldsCheckService) {}

  @Get('check')
  @Operation({
    id: 'getUserFieldsCheck',
    summary: 'Check whether a unique field value is available',
    errors: [422],
  })
  @EndUser({ assurance: ['userDataForm'] })
  @Returns(UserFieldsCheckResponse)
  getUserFieldsCheck(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Query() query: UserFieldsCheckQuery,
  ) {
    return this.fields.check(environmentId, caller.userId, query.filter);
  }
}
