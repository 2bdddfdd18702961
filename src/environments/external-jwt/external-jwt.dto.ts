import { BooleanField, StringField, StringListField } from '../../common/fields/index.js';

export class ExternalJwtCheckRequest {
  @StringField({ description: 'The token exactly as issued.' })
  encodedJwt!: string;
}

export class ExternalJwtCheckResponse {
  @BooleanField()
  valid!: boolean;

  @StringListField({ optional: true, description: 'Problems with the token or the settings, in sentences.' })
  errors?: string[];
}
