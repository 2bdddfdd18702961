import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { WalletListingRepository } from './wallet-listing.repository.js';

/** Resolves the environment of a wallet whose path does not name it. */
@Injectable()
export class WalletTenant extends OwnerResolver {
  constructor(private readonly wallets: WalletListingRepository) {
    super();
  }

  /** A token is limited to its own environment; the operation itself finds out whether the wallet is there. */
  override async findOwner(walletId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    const [environmentId, ...others] = await this.wallets.listOwners(walletId, caller.userId);
    return environmentId && others.length === 0 ? { environmentId } : null;
  }
}
