import { DateField, StringField } from '../../src/common/fields/index.js';

/** A link as its creator sees it, once: its secret is not stored. */
export class OneTimeLink {
  @StringField({ min: 1, max: 255, description: 'The id by which your system knows the person.' })
  person!: string;

  @StringField({ min: 43, max: 43, description: '32 random bytes as base64url; signs the person in once.' })
  secret!: string;

  @DateField()
  expiresAt!: Date;
}

export class OneTimeLinkCreateRequest {
  @StringField({ min: 1, max: 255 })
  person!: string;
}

export class OneTimeLinkSignInRequest {
  @StringField({ min: 43, max: 43 })
  secret!: string;

  @StringField({ optional: true })
  captchaToken?: string;

  @StringField({ optional: true, min: 1 })
  sessionPublicKey?: string;
}
