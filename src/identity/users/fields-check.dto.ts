import { BooleanField, StringField } from '../../common/fields/index.js';

export class UserFieldsCheckResponse {
  @StringField()
  field!: string;

  @StringField()
  value!: string;

  @BooleanField({ description: 'True if nobody other than the caller has it.' })
  available!: boolean;
}
