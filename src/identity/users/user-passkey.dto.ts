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

  @StringField({ optional: true, description: 'The browser that created it.' })
  userAgent?: string;

  @StringField({ optional: true, description: 'The site where it was created.' })
  origin?: string;

  @StringField({ description: "The authenticator's credential id, in base64url." })
  credentialId!: string;

  @DateField()
  createdAt!: Date;

  @DateField({ optional: true })
  updatedAt?: Date;

  @RefField(() => PasskeyStorage, { optional: true, description: 'Where it is stored. Not known to the service.' })
  storage?: PasskeyStorage;
}
