import { DateField, RefField, StringField, UuidField } from '../../common/fields/index.js';

export class PasskeyStorage {
  @StringField()
  name!: string;

  @StringField()
  icon!: string;

  @DateField({ optional: true })
  updatedAt?: Date;
}

/** A passkey as its user sees it. */
export class UserPasskey {
  @UuidField()
  id!: string;

  @StringField({ optional: true })
  alias?: string;

  @StringField({ optional: true, description: 'The browser that made it.' })
  userAgent?: string;

  @StringField({ optional: true, description: 'The site on which it was made.' })
  origin?: string;

  @StringField({ description: 'As the authenticator named it, in base64url.' })
  credentialId!: string;

  @DateField()
  createdAt!: Date;

  @DateField({ optional: true })
  updatedAt?: Date;

  @RefField(() => PasskeyStorage, { optional: true, description: 'Where it is stored, if known.' })
  storage?: PasskeyStorage;
}
