import { RefField, StringField, UuidField } from '../../common/fields/index.js';

export class Key {
  @UuidField({ optional: true, description: 'The `kid` of tokens signed with it.' })
  id?: string;

  @StringField({ optional: true, description: 'The PEM text of the public key (SPKI, RFC 7468 section 13) in base64.' })
  publicKey?: string;
}

export class KeyResponse {
  @RefField(() => Key, { optional: true })
  key?: Key;
}
