import {
  BooleanField,
  EnumField,
  IntegerField,
  OmitOf,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { ValidationRules } from './missing-field.dto.js';
import { CUSTOM_FIELD_TYPES } from '../vocabulary/users.js';

export type CustomFieldType = EnumValue<typeof CUSTOM_FIELD_TYPES>;

/** A field that an environment asks of its users beside the standard ones. */
export class CustomField {
  @UuidField()
  id!: string;

  @StringField({
    min: 1,
    max: 255,
    description: 'Where the value stands in the metadata of a user. Made from the first name of the field and kept.',
  })
  key!: string;

  @StringField({ min: 1, max: 255 })
  name!: string;

  @BooleanField({ description: 'Whether it is asked for and its values are checked.' })
  enabled!: boolean;

  @BooleanField()
  required!: boolean;

  @EnumField(CUSTOM_FIELD_TYPES)
  fieldType!: CustomFieldType;

  @RefField(() => ValidationRules, { optional: true })
  validationRules?: ValidationRules;

  @IntegerField({
    description: 'Fields are asked for in this order; those with one position in the order of creation.',
  })
  position!: number;
}

export class CustomFieldRequest extends OmitOf(CustomField, ['id', 'key']) {}
