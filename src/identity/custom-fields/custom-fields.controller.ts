import { Body, Get, Post } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { CustomField, CustomFieldRequest } from './custom-field.dto.js';
import { CUSTOM_FIELD_CREATED } from './custom-field.events.js';
import { CustomFieldsService } from './custom-fields.service.js';
import { FIELD_LIMITS } from './field-limits.js';

@ApiController('environments/:environmentId/custom/fields', 'CustomFields')
export class CustomFieldsController {
  constructor(private readonly fields: CustomFieldsService) {}

  @Get()
  @Operation({
    id: 'getCustomFieldsForEnvironment',
    summary: 'List the custom signup fields',
    description: 'Ordered by position.',
    errors: [400],
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(CustomField, { list: true })
  getCustomFieldsForEnvironment(@Environment() environmentId: EnvironmentId) {
    return this.fields.list(environmentId);
  }

  @Post()
  @Operation({
    id: 'createCustomFieldForEnvironment',
    idempotent: true,
    summary: 'Create a custom signup field',
    description:
      "A user's value is stored in `metadata` under the key of the field, which is derived from its name. Values that users set themselves must satisfy enabled fields; values set by servers are stored unchecked, except that an update never takes a value of a unique field from the user who holds it. Of users created with the same value, the first holds it; once it gives the value up, anyone can take it. Users without a value see the field in `missingFields`.",
    errors: [422],
    events: [CUSTOM_FIELD_CREATED.name],
    limits: ['100 custom fields per environment', ...FIELD_LIMITS],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @Returns(CustomField, { status: 201 })
  createCustomFieldForEnvironment(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CustomFieldRequest,
    @CallWork() work: Work,
  ) {
    return this.fields.create(environmentId, request, caller, work);
  }
}
