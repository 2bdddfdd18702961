import {
  BooleanField,
  DateField,
  ListField,
  OmitOf,
  PatchOf,
  StringField,
  UuidField,
} from '../../common/fields/index.js';

const HTTPS = 'https, without credentials. An empty string removes it.';

export class GlobalWalletSettingsCreateRequestCustomMenuLinks {
  @StringField({ min: 1, max: 50, example: 'Help' })
  label!: string;

  @StringField({ description: 'https, without credentials.', example: 'https://example.com/help' })
  url!: string;
}

/** The appearance of an environment's global wallet, and since when it has been enabled. */
export class GlobalWalletSettings {
  @UuidField()
  id!: string;

  @StringField({ max: 50, description: 'Plain text.', example: 'Example Wallet' })
  walletName!: string;

  @StringField({ optional: true, max: 50, description: 'Plain text.', example: 'Example Wallet' })
  popupPageTitle?: string;

  @StringField({
    optional: true,
    description: `A .png or .svg file. ${HTTPS}`,
    example: 'https://example.com/icon.png',
  })
  walletIconUrl?: string;

  @StringField({
    optional: true,
    description: `A .css file; the service itself never fetches it. ${HTTPS}`,
    example: 'https://example.com/wallet.css',
  })
  customCssUrl?: string;

  @StringField({ optional: true, description: HTTPS, example: 'https://example.com/terms' })
  termsOfServiceUrl?: string;

  @StringField({ optional: true, description: HTTPS, example: 'https://example.com/privacy' })
  privacyPolicyUrl?: string;

  @StringField({
    optional: true,
    max: 1024,
    description:
      'Markdown (CommonMark) without HTML, images, character references and link definitions; links have the form [text](https://...).',
    example: 'See our [terms](https://example.com/terms).',
  })
  termsOfServiceAndPrivacyPolicyMarkdown?: string;

  @ListField(() => GlobalWalletSettingsCreateRequestCustomMenuLinks, { optional: true, most: 20 })
  customMenuLinks?: GlobalWalletSettingsCreateRequestCustomMenuLinks[];

  @BooleanField({ optional: true })
  enableLoginWithExternalWallets?: boolean;

  @DateField({ optional: true, nullable: true })
  enabledAt?: Date | null;
}

export class GlobalWalletSettingsCreateRequest extends OmitOf(GlobalWalletSettings, ['id', 'enabledAt']) {}

export class GlobalWalletSettingsUpdateRequest extends PatchOf(GlobalWalletSettingsCreateRequest) {}
