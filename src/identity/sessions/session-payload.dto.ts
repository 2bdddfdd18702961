import { DateField, StringField, UuidField } from '../../common/fields/index.js';

/** A session as events tell it: as the API shows it, and whose it is; never a token. */
export class SessionPayload {
  @UuidField()
  id!: string;

  @UuidField()
  userId!: string;

  @DateField()
  createdAt!: Date;

  @StringField({ optional: true })
  ipAddress?: string;

  @StringField({ optional: true })
  userAgent?: string;

  @DateField({ optional: true })
  revokedAt?: Date;
}
