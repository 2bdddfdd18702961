import { EnumField, StringField } from '../../common/fields/index.js';
import { CHAINS, type Chain } from '../vocabulary/chains.js';
import { AUTH_MODES, WALLET_PROVIDERS, type AuthMode, type WalletProvider } from '../vocabulary/wallets.js';

export class ConnectRequest {
  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/ })
  address!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @EnumField(WALLET_PROVIDERS)
  provider!: WalletProvider;

  @StringField({ max: 255 })
  walletName!: string;

  @EnumField(AUTH_MODES, { optional: true, description: 'What the client intended; shown in exports of visits.' })
  authMode?: AuthMode;
}
