import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { OwnAccessController } from './own-access.controller.js';
import { ServerAccessController } from './server-access.controller.js';
import { ServerTokens } from './server-tokens.js';
import { WalletAccess } from './wallet-access.service.js';
import { WalletServerStrategy } from './wallet-server.strategy.js';

/** Short-lived wallet tokens for users and servers. */
@Module({
  imports: [IdentityModule, OrganizationsModule],
  controllers: [OwnAccessController, ServerAccessController],
  providers: [ServerTokens, WalletAccess, WalletServerStrategy],
})
export class WalletAccessModule {}
