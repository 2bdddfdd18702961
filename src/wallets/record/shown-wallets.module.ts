import { Module } from '@nestjs/common';
import { ShownWallets } from './shown-wallets.js';

/** How wallets are shown: the same for every reader. */
@Module({ providers: [ShownWallets], exports: [ShownWallets] })
export class ShownWalletsModule {}
