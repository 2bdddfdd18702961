import { BooleanField, StringField, StringListField } from '../../common/fields/index.js';

export class ExternalJwtCheckRequest {
  @StringField({ description: 'The token as its issuer wrote it.' })
  encodedJwt!: string;
}

export class ExternalJwtCheckResponse {
  @BooleanField()
  valid!: boolean;

  @StringListField({ optional: true, description: 'What is wrong with the token or the settings, in sentences.' })
  errors?: string[];
}
