import { BooleanField, StringField } from '../../common/fields/index.js';

export class UserFieldsCheckResponse {
  @StringField()
  field!: string;

  @StringField()
  value!: string;

  @BooleanField({ description: 'Whether nobody except possibly the caller has it.' })
  available!: boolean;
}
