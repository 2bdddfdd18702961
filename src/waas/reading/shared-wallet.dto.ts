import { RefField } from '../../common/fields/index.js';
import { WaasWallet } from '../../wallets/index.js';

export class WaasWalletResponse {
  @RefField(() => WaasWallet)
  wallet!: WaasWallet;
}
