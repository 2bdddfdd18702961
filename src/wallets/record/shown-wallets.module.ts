import { Module } from '@nestjs/common';
import { ShownWallets } from './shown-wallets.js';

/** How wallets are shown: one answer for everybody who reads them. */
@Module({ providers: [ShownWallets], exports: [ShownWallets] })
export class ShownWalletsModule {}
