import { EnumField, StringField, UuidField, type EnumValue } from '../../common/fields/index.js';
import { PASSWORD_SOURCES } from '../../identity/index.js';

export class WalletSecretQuery {
  @UuidField({ optional: true, description: 'Which wallet, if the user has several.' })
  walletId?: string;
}

export class EmbeddedWalletSecret {
  @UuidField()
  walletId!: string;

  @StringField({
    description: '32 bytes in base64url, without padding.',
    example: 'q80zIjuJ0yIZzl4J7sQ1l0ynK6GkZ9V4L2Qn4S9m7cI',
  })
  secret!: string;

  @EnumField(PASSWORD_SOURCES, { optional: true, description: '`platform`: the service generated it.' })
  source?: EnumValue<typeof PASSWORD_SOURCES>;
}
