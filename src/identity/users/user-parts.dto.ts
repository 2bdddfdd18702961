import {
  BooleanField,
  DateField,
  EnumField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { WalletProperties } from '../credentials/wallet-properties.dto.js';
import { CHAINS, type Chain } from '../vocabulary/chains.js';
import { PROVIDER_KINDS, type ProviderKind } from '../vocabulary/providers.js';
import { MFA_DEVICE_TYPES, SCREENING_RESULTS } from '../vocabulary/users.js';
import { WALLET_PROVIDERS, type WalletProvider } from '../vocabulary/wallets.js';

export class Session {
  @UuidField({ optional: true })
  id?: string;

  @DateField({ optional: true })
  createdAt?: Date;

  @StringField({ optional: true })
  ipAddress?: string;

  @StringField({ optional: true })
  userAgent?: string;

  @DateField({ optional: true })
  revokedAt?: Date;
}

export class UserWallet {
  @UuidField()
  id!: string;

  @StringField({ min: 1 })
  name!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/, description: 'The address.' })
  publicKey!: string;

  @EnumField(WALLET_PROVIDERS)
  provider!: WalletProvider;

  @RefField(() => WalletProperties, { optional: true })
  properties?: WalletProperties;

  @StringField({ optional: true })
  lastSelectedAt?: string;
}

export class ScreeningCheck {
  @UuidField()
  id!: string;

  @DateField()
  createdAt!: Date;

  @EnumField(SCREENING_RESULTS)
  result!: EnumValue<typeof SCREENING_RESULTS>;

  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/ })
  walletPublicKey!: string;

  @StringField()
  response!: string;
}

export class OAuthAccountSummary {
  @UuidField({ optional: true })
  id?: string;

  @EnumField(PROVIDER_KINDS, { optional: true })
  provider?: ProviderKind;

  @StringField({ optional: true })
  accountUsername?: string;
}

export class MfaDevice {
  @EnumField(MFA_DEVICE_TYPES, { optional: true })
  type?: EnumValue<typeof MFA_DEVICE_TYPES>;

  @BooleanField({ optional: true })
  verified?: boolean;

  @UuidField({ optional: true })
  id?: string;

  @DateField({ optional: true })
  createdAt?: Date;

  @DateField({ optional: true, nullable: true })
  verifiedAt?: Date | null;

  @BooleanField({ optional: true })
  default?: boolean;

  @StringField({ optional: true, description: 'Never set: no operation gives a device a name.' })
  alias?: string;
}
