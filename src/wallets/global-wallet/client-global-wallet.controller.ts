import { Get } from '@nestjs/common';
import { Environment, Public, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { GlobalWalletSettings } from './global-wallet.dto.js';
import { GlobalWalletService } from './global-wallet.service.js';

/** What applications learn of the global wallet. */
@ApiController('sdk/:environmentId/globalWallets', 'Sdk')
export class ClientGlobalWalletController {
  constructor(private readonly wallets: GlobalWalletService) {}

  @Get('settings')
  @Operation({
    id: 'getGlobalWalletsSettings',
    summary: 'Give clients the global wallet settings',
    description: 'While the global wallet is enabled; else there is none.',
  })
  @Public()
  @Returns(GlobalWalletSettings)
  getGlobalWalletsSettings(@Environment() environmentId: EnvironmentId) {
    return this.wallets.getEnabled(environmentId);
  }
}
