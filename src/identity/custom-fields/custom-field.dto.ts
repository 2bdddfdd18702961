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

/** A field that an environment adds to the standard ones. */
export class CustomField {
  @UuidField()
  id!: string;

  @StringField({
    min: 1,
    max: 255,
    description: "Key of the value in a user's metadata. Derived from the first name of the field; it never changes.",
  })
  key!: string;

  @StringField({ min: 1, max: 255, visible: true, description: 'At least one character is visible.' })
  name!: string;

  @BooleanField({ description: 'Whether clients ask for the field and its values are checked.' })
  enabled!: boolean;

  @BooleanField()
  required!: boolean;

  @EnumField(CUSTOM_FIELD_TYPES)
  fieldType!: CustomFieldType;

  @RefField(() => ValidationRules, { optional: true })
  validationRules?: ValidationRules;

  @IntegerField({
    description: 'Order in which the fields are asked for; fields with the same position are in order of creation.',
  })
  position!: number;
}

export class CustomFieldRequest extends OmitOf(CustomField, ['id', 'key']) {}
