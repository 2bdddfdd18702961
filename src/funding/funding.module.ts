import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
import { NetworksModule } from '../networks/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ProvidersModule } from '../providers/index.js';
import { ClientExchanges } from './exchanges/client-exchanges.js';
import { ExchangeController } from './exchanges/exchange.controller.js';
import { ExchangeRow } from './exchanges/exchange.entity.js';
import { ExchangeOwner } from './exchanges/exchange-owner.js';
import { ExchangesController } from './exchanges/exchanges.controller.js';
import { ExchangesRepository } from './exchanges/exchanges.repository.js';
import { ExchangesService } from './exchanges/exchanges.service.js';
import { Banxa } from './ramps/banxa.js';
import { CoinbaseOnramp } from './ramps/coinbase-onramp.js';
import { CoinbasePurchases } from './ramps/coinbase-purchases.service.js';
import { CryptoDotCom } from './ramps/crypto-dot-com.js';
import { KeyedOrders } from './ramps/keyed-orders.js';
import { RampOrder } from './ramps/ramp-order.entity.js';
import { RampOrdersPurge } from './ramps/ramp-orders-purge.job.js';
import { RampOrdersRepository } from './ramps/ramp-orders.repository.js';
import { RampOrders } from './ramps/ramp-orders.service.js';
import { RampsController } from './ramps/ramps.controller.js';
import { Ramps } from './ramps/ramps.service.js';
import { CoinbaseExchange } from './transfers/coinbase-exchange.js';
import { ExchangeAccountsController } from './transfers/exchange-accounts.controller.js';
import { ExchangeAccounts } from './transfers/exchange-accounts.service.js';
import { ExchangeSessions } from './transfers/exchange-sessions.js';
import { ExchangeTransfer } from './transfers/exchange-transfer.entity.js';
import { ExchangeTransfersRepository } from './transfers/exchange-transfers.repository.js';
import { KrakenExchange } from './transfers/kraken-exchange.js';
import { KrakenKeys } from './transfers/kraken-keys.js';
import { OpenPayouts } from './transfers/open-payouts.job.js';
import { PayoutSettlement } from './transfers/payout-settlement.js';
import { Payouts } from './transfers/payouts.service.js';
import { UserBalances } from './user-balances.js';
import { UserBalancesController } from './user-balances.controller.js';
import { MovingModule } from '../moving/index.js';
import { FundingMerging } from './funding.merging.js';
import { FundingMoving } from './funding.moving.js';

const EXCHANGES = [ClientExchanges, ExchangeOwner, ExchangesRepository, ExchangesService];
const RAMPS = [
  Banxa,
  CoinbaseOnramp,
  CoinbasePurchases,
  CryptoDotCom,
  KeyedOrders,
  RampOrders,
  RampOrdersPurge,
  RampOrdersRepository,
  Ramps,
];
const TRANSFERS = [
  CoinbaseExchange,
  ExchangeAccounts,
  ExchangeSessions,
  ExchangeTransfersRepository,
  KrakenExchange,
  KrakenKeys,
  OpenPayouts,
  PayoutSettlement,
  Payouts,
];

/** Users' balances, and ways to move money in and out. */
@Module({
  imports: [
    MovingModule,
    TypeOrmModule.forFeature([ExchangeRow, ExchangeTransfer, RampOrder]),
    EnvironmentsModule,
    IdentityModule,
    NetworksModule,
    OrganizationsModule,
    ProvidersModule,
  ],
  controllers: [
    UserBalancesController,
    ExchangesController,
    ExchangeController,
    RampsController,
    ExchangeAccountsController,
  ],
  providers: [FundingMerging, FundingMoving, UserBalances, ...EXCHANGES, ...RAMPS, ...TRANSFERS],
})
export class FundingModule {}
