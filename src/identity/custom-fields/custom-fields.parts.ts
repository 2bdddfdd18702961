import { AskedFieldsRow } from './asked-fields.entity.js';
import { CustomFieldController } from './custom-field.controller.js';
import { CustomFieldOwner } from './custom-field-owner.js';
import { CustomFieldValueRow } from './custom-field-value.entity.js';
import { CustomFieldRow } from './custom-field.entity.js';
import { CustomFieldsController } from './custom-fields.controller.js';
import { CustomFieldsPart } from './custom-fields.part.js';
import { CustomFieldsRepository } from './custom-fields.repository.js';
import { CustomFieldsService } from './custom-fields.service.js';
import { KnownCustomFields } from './known-custom-fields.js';
import { MissingFieldsFacet } from './missing-fields.facet.js';

/** Custom fields as parts of the identity module. */
export const CUSTOM_FIELD_ENTITIES = [CustomFieldRow, CustomFieldValueRow, AskedFieldsRow];

export const CUSTOM_FIELD_CONTROLLERS = [CustomFieldsController, CustomFieldController];

export const CUSTOM_FIELD_PROVIDERS = [
  CustomFieldsRepository,
  CustomFieldsService,
  CustomFieldOwner,
  CustomFieldsPart,
  KnownCustomFields,
  MissingFieldsFacet,
];
