import {
  BooleanField,
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  type EnumValue,
} from '../../common/fields/index.js';
import { CUSTOM_FIELD_TYPES, SIGNUP_FIELD_KINDS } from '../vocabulary/users.js';

export class CustomFieldValidValue {
  @StringField({ min: 1, max: 255, visible: true, description: 'At least one character is visible.' })
  label!: string;

  @StringField({ optional: true, min: 1, max: 255 })
  key?: string;
}

export class ValidationRules {
  @BooleanField({ optional: true, description: 'The value must be unique among the users of the environment.' })
  unique?: boolean;

  @StringField({ optional: true, max: 255, description: 'RE2 syntax; the whole value must match.' })
  regex?: string;

  @ListField(() => CustomFieldValidValue, { optional: true, most: 200 })
  validOptions?: CustomFieldValidValue[];

  @StringField({ optional: true, max: 255 })
  checkboxText?: string;
}

/** A signup field that a user has not filled in. */
export class MissingField {
  @StringField()
  name!: string;

  @BooleanField()
  required!: boolean;

  @BooleanField()
  enabled!: boolean;

  @BooleanField()
  unique!: boolean;

  @BooleanField()
  verify!: boolean;

  @EnumField(SIGNUP_FIELD_KINDS, { optional: true })
  type?: EnumValue<typeof SIGNUP_FIELD_KINDS>;

  @RefField(() => ValidationRules, { optional: true })
  validationRules?: ValidationRules;

  @EnumField(CUSTOM_FIELD_TYPES, { optional: true })
  validationType?: EnumValue<typeof CUSTOM_FIELD_TYPES>;

  @StringField({ optional: true })
  label?: string;

  @IntegerField({ optional: true })
  position?: number;
}
