import { defineError } from '../../common/errors/index.js';

export const customFieldNotUnique = defineError({
  code: 'custom_field_not_unique',
  status: 422,
  message: 'Another custom field has this name, or was created with it.',
  hint: 'Choose a name that differs in its letters and digits.',
  cause:
    'Names of custom fields are unique in an environment, and so are the keys that are made from their first names.',
  fix: 'List the custom fields of the environment and choose another name, or change the field that is there.',
});

export const invalidRegex = defineError({
  code: 'invalid_regex',
  status: 422,
  message: 'The regular expression cannot be used.',
  hint: 'Use the syntax of RE2: without lookaround and backreferences, and with small repetitions.',
  cause:
    'The expression is malformed, uses features that RE2 omits because they cannot be matched in linear time, or is too large when its repetitions are expanded. `payload.offset` says where.',
  fix: 'Rewrite the expression. It is matched against the whole value, without flags, and `.` and classes are Unicode.',
});

export const repeatedOptions = defineError({
  code: 'repeated_options',
  status: 422,
  message: 'Two options of the field are the same.',
  hint: 'Give each option a label and a key that no other option has.',
  cause: 'A label or key occurs twice in `validationRules.validOptions`, so a value would be ambiguous.',
  fix: 'Remove or rename the repeated option.',
});

export const invalidPosition = defineError({
  code: 'invalid_position',
  status: 422,
  message: 'The position is out of range.',
  hint: 'Send a position from 0 to 1,000,000.',
  cause: '`position` is negative or larger than 1,000,000.',
  fix: 'Count positions from 0. Gaps and equal positions are allowed.',
});

export const cannotSwitchToUnique = defineError({
  code: 'cannot_switch_to_unique',
  status: 422,
  message: 'The field cannot be unique: users share a value of it.',
  hint: 'Change the values of the users who share one, then try again.',
  cause: 'At least two users of the environment have the same value for the field in their metadata.',
  fix: 'Export the users, find the shared values, and change or remove all but one of each.',
});

export const customFieldDataNotUnique = defineError({
  code: 'custom_field_data_not_unique',
  status: 422,
  message: 'Another user has this value already.',
  hint: 'Choose another value for the field.',
  cause: 'A custom field of the environment is unique, and another user already has the value sent for it.',
  fix: 'Ask the person for another value.',
});

export const invalidMetadataValue = defineError({
  code: 'invalid_metadata_value',
  status: 422,
  message: 'A custom field does not allow its value.',
  hint: 'See payload.additionalMessages: each names a field by its key and says what it allows.',
  cause: 'The metadata holds a value that the custom field of the same key does not allow.',
  fix: 'Correct the values named in `payload.additionalMessages`. Nothing was written.',
});

export const unfitValidationRules = defineError({
  code: 'unfit_validation_rules',
  status: 422,
  message: 'The validation rules do not fit the type of the field.',
  hint: 'Text fields take unique and regex, select fields need validOptions, checkboxes take checkboxText.',
  cause: '`validationRules` holds a rule of another `fieldType`, or a select field has no options.',
  fix: 'Send only the rules of the type.',
});

export const tooManyCustomFields = defineError({
  code: 'too_many_custom_fields',
  status: 422,
  message: 'The environment has reached the limit of custom fields.',
  hint: 'Delete a custom field first.',
  cause: 'An environment may have 100 custom fields, disabled ones included.',
  fix: 'Delete custom fields that are no longer asked for.',
});
