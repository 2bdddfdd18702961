import { BooleanField, EnumField, JsonField, StringField } from '../../common/fields/index.js';
import { BACKUP_CODE_ACKNOWLEDGEMENTS, type BackupCodeAcknowledgement } from '../vocabulary/users.js';

/** Larger than any request body: oversized metadata is reported with its own error code instead. */
export const NO_LIMIT_OF_ITS_OWN = 2 ** 21;

/** Profile data that an application keeps about a person; the same in requests and responses. */
export class ProfileFields {
  @StringField({ optional: true, max: 255 })
  alias?: string;

  @StringField({ optional: true, max: 255 })
  firstName?: string;

  @StringField({ optional: true, max: 255 })
  lastName?: string;

  @StringField({ optional: true, max: 255 })
  jobTitle?: string;

  @StringField({ optional: true, max: 255 })
  phoneNumber?: string;

  @JsonField({
    optional: true,
    maxBytes: NO_LIMIT_OF_ITS_OWN,
    description:
      'Free-form, at most 16 384 bytes of JSON. END USERS CAN CHANGE IT with `updateSelf`, and it is readable in their JWT: store no secrets in it, and base no decisions on it, such as roles, plans or prices: use `privateMetadata` for those.',
  })
  metadata?: Record<string, unknown>;

  @EnumField(BACKUP_CODE_ACKNOWLEDGEMENTS, { optional: true, nullable: true })
  mfaBackupCodeAcknowledgement?: BackupCodeAcknowledgement | null;

  @StringField({ optional: true, max: 255 })
  tShirtSize?: string;

  @StringField({ optional: true, max: 255 })
  team?: string;

  @BooleanField({ optional: true })
  policiesConsent?: boolean;

  @StringField({ optional: true, nullable: true, max: 255, pattern: /^[A-Z]{2}$/, description: 'ISO 3166-1 alpha-2.' })
  country?: string | null;

  @StringField({ optional: true, nullable: true, max: 255, pattern: /^[\p{L}\p{N}_-]*$/u })
  username?: string | null;

  @StringField({ optional: true, nullable: true, max: 255 })
  btcWallet?: string | null;

  @StringField({ optional: true, nullable: true, max: 255 })
  kdaWallet?: string | null;

  @StringField({ optional: true, nullable: true, max: 255 })
  ltcWallet?: string | null;

  @StringField({ optional: true, nullable: true, max: 255 })
  ckbWallet?: string | null;

  @StringField({ optional: true, nullable: true, max: 255 })
  kasWallet?: string | null;

  @StringField({ optional: true, nullable: true, max: 255 })
  dogeWallet?: string | null;

  @BooleanField({ optional: true })
  emailNotification?: boolean;

  @BooleanField({ optional: true })
  discordNotification?: boolean;

  @BooleanField({ optional: true })
  newsletterNotification?: boolean;
}
