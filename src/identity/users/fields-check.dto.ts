import { BooleanField, StringField } from '../../common/fields/index.js';

export class UserFieldsCheckResponse {
  @StringField()
  field!: string;

  @StringField()
  value!: string;

  @BooleanField({ description: 'Nobody but perhaps the caller has it.' })
  available!: boolean;
}
