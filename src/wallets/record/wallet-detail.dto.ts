import {
  BooleanField,
  DateField,
  defineEnum,
  EnumField,
  IntegerField,
  JsonField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';
import {
  CHAINS,
  THRESHOLD_SCHEMES,
  WALLET_PROVIDERS,
  WalletAdditionalAddress,
  WalletKeyShareInfo,
  type Chain,
  type WalletProvider,
} from '../../identity/index.js';
import { DelegatedAccessEncryptionPublicKey } from '../delegation/delegation-key.dto.js';

export const DEFAULT_PAGE = 50;

export const WAAS_CHAINS = defineEnum('WaasChainEnum', ['EVM', 'SVM', 'SUI', 'BTC', 'TON']);

export class WaasWallet {
  @StringField()
  accountAddress!: string;

  @EnumField(WAAS_CHAINS)
  chainName!: EnumValue<typeof WAAS_CHAINS>;

  @UuidField()
  walletId!: string;

  @EnumField(THRESHOLD_SCHEMES)
  thresholdSignatureScheme!: EnumValue<typeof THRESHOLD_SCHEMES>;

  @StringField()
  derivationPath!: string;

  @ListField(() => WalletKeyShareInfo, { optional: true })
  keyShares?: WalletKeyShareInfo[];
}

export class DelegatedAccessWalletApiKey {
  @RefField(() => DelegatedAccessEncryptionPublicKey)
  encryptionPublicKey!: DelegatedAccessEncryptionPublicKey;

  @StringListField()
  scopes!: string[];

  @DateField({ optional: true, nullable: true })
  expiresAt?: Date | null;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;

  @DateField({ optional: true, nullable: true })
  deletedAt?: Date | null;
}

/** A wallet as listed for an environment, hidden ones included. */
export class WalletDetail {
  @UuidField()
  id!: string;

  @UuidField()
  userId!: string;

  @StringField({ min: 1 })
  name!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/, description: 'The address.' })
  publicKey!: string;

  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/, description: 'The address in lower case.' })
  lowerPublicKey!: string;

  @StringField({ optional: true, min: 1, max: 255, description: 'Never set: no wallet book is kept here.' })
  walletBookName?: string;

  @EnumField(WALLET_PROVIDERS)
  provider!: WalletProvider;

  @ListField(() => WalletAdditionalAddress, { optional: true })
  walletAdditionalAddresses?: WalletAdditionalAddress[];

  @UuidField({ optional: true, description: 'Never set: the service makes no smart accounts.' })
  signerWalletId?: string;

  @DateField({ optional: true, nullable: true })
  lastSelectedAt?: Date | null;

  @DateField()
  updatedAt!: Date;

  @DateField()
  createdAt!: Date;

  @DateField({ optional: true, nullable: true, description: 'When its user hid it.' })
  deletedAt?: Date | null;

  @UuidField({ optional: true })
  keyvaultHDWalletId?: string;

  @BooleanField({
    optional: true,
    nullable: true,
    description: 'Never set here: the credential of the wallet tells it.',
  })
  signInEnabled?: boolean | null;

  @UuidField()
  projectEnvironmentId!: string;

  @StringField({ optional: true, nullable: true, description: 'Never set: the service makes no smart accounts.' })
  entryPointVersion?: string | null;

  @StringField({ optional: true, nullable: true, description: 'Never set: the service makes no smart accounts.' })
  kernelVersion?: string | null;

  @StringField({ optional: true, nullable: true, description: 'Never set: the service makes no smart accounts.' })
  ecdsaProviderType?: string | null;

  @UuidField({ optional: true, description: 'Never set: wallets go with their users.' })
  deletedUserId?: string;

  @JsonField({ optional: true, nullable: true, description: 'Not known to the service.' })
  hardwareWallet?: Record<string, unknown> | null;

  @RefField(() => WaasWallet, { optional: true, description: 'Never set here: getWaasWalletByWalletId tells it.' })
  waasWallet?: WaasWallet;

  @ListField(() => DelegatedAccessWalletApiKey, {
    optional: true,
    description: 'Never set: access is given to the servers of the environment, not to an API key.',
  })
  delegatedAccessWalletApiKeys?: DelegatedAccessWalletApiKey[];
}

export class WalletsResponse {
  @ListField(() => WalletDetail)
  wallets!: WalletDetail[];

  @IntegerField({ description: 'Total of all pages.' })
  count!: number;

  @IntegerField({ optional: true })
  limit?: number;

  @IntegerField({ optional: true })
  offset?: number;
}

export class ListWalletsQuery {
  @QueryInteger({ optional: true, min: 1, max: 100, default: DEFAULT_PAGE })
  limit?: number;

  @QueryInteger({ optional: true, min: 0, default: 0 })
  offset?: number;
}

export class WalletRecoveryRequest {
  @StringField({ optional: true, description: 'Id of the user. Required.' })
  userId?: string;
}

export class WalletRecoveryResponse {
  @JsonField({ optional: true, description: '`walletIds` of the restored wallets.' })
  data?: Record<string, unknown>;

  @StringField({ optional: true })
  message?: string;
}
