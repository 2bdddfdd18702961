import { DateField, StringField, UuidField } from '../../common/fields/index.js';

/** A session in events: as the API shows it, plus its user; never a token. */
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
