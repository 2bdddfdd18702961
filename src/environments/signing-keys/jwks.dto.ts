import { ListField, StringField } from '../../common/fields/index.js';

export class JwksKey {
  @StringField({ optional: true })
  kid?: string;

  @StringField({ optional: true })
  alg?: string;

  @StringField({ optional: true })
  kty?: string;

  @StringField({ optional: true })
  use?: string;

  @StringField({ optional: true })
  e?: string;

  @StringField({ optional: true })
  n?: string;
}

export class JwksResponse {
  @ListField(() => JwksKey)
  keys!: JwksKey[];
}
