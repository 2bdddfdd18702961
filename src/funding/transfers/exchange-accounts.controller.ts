import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import {
  Caller,
  EndUser,
  Environment,
  FreshProof,
  RATE_RULES,
  RateLimited,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { EXCHANGES, type ExchangeKey } from '../exchanges/exchange.dto.js';
import {
  Account,
  AccountsQuery,
  CreateExchangeTransferRequest,
  ExchangeTransaction,
  ExchangeTransferResponse,
  TransactionsQuery,
  TransferDestinationResponse,
} from './exchange-account.dto.js';
import { ExchangeAccounts } from './exchange-accounts.service.js';
import { KnownExchange } from './known-exchange.pipe.js';
import { EXCHANGE_TRANSFER_CREATED, EXCHANGE_TRANSFER_UPDATED } from './exchange-transfer.events.js';
import { Payouts } from './payouts.service.js';

const EXCHANGE = { name: 'exchangeKey', enum: [...EXCHANGES.values], enumName: EXCHANGES.name } as const;
const LIMITS = ['30 calls per minute and client address', 'Exchanges: 5-second timeout'];

@ApiController('sdk/:environmentId/exchange/:exchangeKey/accounts', 'Sdk')
export class ExchangeAccountsController {
  constructor(
    private readonly accounts: ExchangeAccounts,
    private readonly payouts: Payouts,
  ) {}

  @Get()
  @ApiParam(EXCHANGE)
  @Operation({
    id: 'getUserAccounts',
    summary: "List the user's accounts at a linked exchange",
    description: 'With a chain, shows what can be transferred on it.',
    errors: [403, 422, 503],
    limits: LIMITS,
  })
  @EndUser()
  @RateLimited(RATE_RULES.ramp)
  @Returns(Account, { list: true })
  getUserAccounts(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Param('exchangeKey', KnownExchange) exchange: ExchangeKey,
    @Query() query: AccountsQuery,
  ) {
    return this.accounts.list(environmentId, caller, exchange, query);
  }

  @Get('transactions')
  @ApiParam(EXCHANGE)
  @Operation({
    id: 'getExchangeTransactions',
    summary: "List transactions of the user's exchange account",
    description: 'The latest hundred of each account.',
    errors: [403, 422, 503],
    limits: LIMITS,
  })
  @EndUser()
  @RateLimited(RATE_RULES.ramp)
  @Returns(ExchangeTransaction, { list: true })
  getExchangeTransactions(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Param('exchangeKey', KnownExchange) exchange: ExchangeKey,
    @Query() query: TransactionsQuery,
  ) {
    return this.accounts.transactions(environmentId, caller, exchange, query);
  }

  @Get('transfer/destinations')
  @ApiParam(EXCHANGE)
  @Operation({
    id: 'getExchangeTransferDestinations',
    summary: 'List the addresses that an exchange account may pay out to',
    errors: [403, 422, 503],
    limits: LIMITS,
  })
  @EndUser()
  @RateLimited(RATE_RULES.ramp)
  @Returns(TransferDestinationResponse)
  getExchangeTransferDestinations(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Param('exchangeKey', KnownExchange) exchange: ExchangeKey,
  ) {
    return this.accounts.destinations(environmentId, caller, exchange);
  }

  @Post(':accountId/transfer')
  @ApiParam(EXCHANGE)
  @Operation({
    id: 'postExchangeAccountTransfer',
    summary: 'Pay out from an exchange account',
    description:
      'The payout is stored before it is sent, and sent once. If the answer of the exchange is lost, the status is `unknown`: repeating the call with the same `id` looks up the outcome and sends nothing.',
    errors: [403, 422, 503],
    events: [EXCHANGE_TRANSFER_CREATED.name, EXCHANGE_TRANSFER_UPDATED.name],
    limits: LIMITS,
  })
  @EndUser()
  @FreshProof('wallet:sign')
  @RateLimited(RATE_RULES.ramp)
  @Returns(ExchangeTransferResponse, { status: 201 })
  postExchangeAccountTransfer(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Param('exchangeKey', KnownExchange) exchange: ExchangeKey,
    @IdParam('accountId') accountId: string,
    @Body() request: CreateExchangeTransferRequest,
  ) {
    return this.payouts.create(environmentId, caller, { exchange, accountId }, request);
  }
}
