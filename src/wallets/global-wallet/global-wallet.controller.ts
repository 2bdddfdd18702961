import { Body, Get, Post, Put } from '@nestjs/common';
import { Caller, Dashboard, Environment, type DashboardPrincipal, type EnvironmentId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import {
  GlobalWalletSettings,
  GlobalWalletSettingsCreateRequest,
  GlobalWalletSettingsUpdateRequest,
} from './global-wallet.dto.js';
import {
  GLOBAL_WALLET_CREATED,
  GLOBAL_WALLET_DISABLED,
  GLOBAL_WALLET_ENABLED,
  GLOBAL_WALLET_UPDATED,
} from './global-wallet.events.js';
import { GlobalWalletService } from './global-wallet.service.js';

const WRITE = { scope: 'environment.settings.write', role: 'developer' } as const;
const LIMITS = ['20 menu links', 'URLs: https, 2048 characters'];

@ApiController('environments/:environmentId/globalWallet', 'GlobalWallets')
export class GlobalWalletController {
  constructor(private readonly wallets: GlobalWalletService) {}

  @Get('settings')
  @Operation({ id: 'getGlobalWalletSettings', summary: 'Read the global wallet settings', errors: [422] })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @Returns(GlobalWalletSettings)
  getGlobalWalletSettings(@Environment() environmentId: EnvironmentId) {
    return this.wallets.get(environmentId);
  }

  @Post('settings')
  @Operation({
    id: 'createGlobalWalletSettings',
    idempotent: true,
    summary: "Create the global wallet's appearance settings",
    description:
      'Created disabled. Content that a browser might execute is refused: scripts, HTML, URLs other than https.',
    errors: [422],
    events: [GLOBAL_WALLET_CREATED.name],
    limits: ['one per environment', ...LIMITS],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletSettings, { status: 201 })
  createGlobalWalletSettings(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: GlobalWalletSettingsCreateRequest,
    @CallWork() work: Work,
  ) {
    return this.wallets.create(environmentId, request, caller, work);
  }

  @Put('settings')
  @Operation({
    id: 'updateGlobalWalletSettings',
    summary: 'Change the global wallet settings',
    description: 'Omitted fields keep their values, and so does the enabled state.',
    errors: [422],
    events: [GLOBAL_WALLET_UPDATED.name],
    limits: LIMITS,
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletSettings)
  updateGlobalWalletSettings(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: GlobalWalletSettingsUpdateRequest,
  ) {
    return this.wallets.update(environmentId, request, caller);
  }

  @Put('enable')
  @Operation({
    id: 'enableGlobalWallet',
    summary: 'Turn the global wallet on',
    errors: [422],
    events: [GLOBAL_WALLET_ENABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletSettings)
  enableGlobalWallet(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.wallets.setEnabled(environmentId, true, caller);
  }

  @Put('disable')
  @Operation({
    id: 'disableGlobalWallet',
    summary: 'Turn the global wallet off',
    description: 'Clients are told that there is no global wallet.',
    errors: [422],
    events: [GLOBAL_WALLET_DISABLED.name],
  })
  @Dashboard(WRITE)
  @Returns(GlobalWalletSettings)
  disableGlobalWallet(@Environment() environmentId: EnvironmentId, @Caller() caller: DashboardPrincipal) {
    return this.wallets.setEnabled(environmentId, false, caller);
  }
}
