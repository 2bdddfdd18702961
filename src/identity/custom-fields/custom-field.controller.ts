import { Body, Delete, Get, Put } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Environment,
  ScopedBy,
  type DashboardPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { CustomFieldOwner } from './custom-field-owner.js';
import { CustomField, CustomFieldRequest } from './custom-field.dto.js';
import { CUSTOM_FIELD_DELETED, CUSTOM_FIELD_UPDATED } from './custom-field.events.js';
import { CustomFieldsService } from './custom-fields.service.js';
import { FIELD_LIMITS } from './field-limits.js';

@ApiController('custom/fields/:customFieldId', 'CustomFields')
export class CustomFieldController {
  constructor(private readonly fields: CustomFieldsService) {}

  @Get()
  @Operation({ id: 'getCustomFieldById', summary: 'Read one custom field', errors: [400, 422] })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @ScopedBy(CustomFieldOwner, 'customFieldId')
  @Returns(CustomField)
  getCustomFieldById(@Environment() environmentId: EnvironmentId, @IdParam('customFieldId') id: string) {
    return this.fields.get(environmentId, id);
  }

  @Put()
  @Operation({
    id: 'updateCustomFieldById',
    summary: 'Change a custom field',
    description:
      'Replaces everything except the key. A field can become unique only if no two users share a value: texts are compared in Unicode NFC and without surrounding spaces. Existing values are not checked against the other rules.',
    errors: [422],
    events: [CUSTOM_FIELD_UPDATED.name],
    limits: FIELD_LIMITS,
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(CustomFieldOwner, 'customFieldId')
  @Returns(CustomField)
  updateCustomFieldById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('customFieldId') id: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: CustomFieldRequest,
  ) {
    return this.fields.update(environmentId, id, request, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteCustomFieldById',
    summary: 'Delete a custom field',
    description: "Values already in users' metadata stay there.",
    errors: [400],
    events: [CUSTOM_FIELD_DELETED.name],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @ScopedBy(CustomFieldOwner, 'customFieldId')
  @ReturnsNothing()
  deleteCustomFieldById(
    @Environment() environmentId: EnvironmentId,
    @IdParam('customFieldId') id: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.fields.delete(environmentId, id, caller);
  }
}
