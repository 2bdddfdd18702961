import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { WalletListingRepository } from './wallet-listing.repository.js';

/** Tells the environment of a wallet whose path does not name it. */
@Injectable()
export class WalletTenant extends OwnerResolver {
  constructor(private readonly wallets: WalletListingRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the wallet is there, the operation finds out. */
  override async findOwner(walletId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    const [environmentId, ...others] = await this.wallets.listOwners(walletId, caller.userId);
    return environmentId && others.length === 0 ? { environmentId } : null;
  }
}
