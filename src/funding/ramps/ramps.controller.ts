import { Body, Get, Headers, Post, Query } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Client,
  EndUser,
  Environment,
  Public,
  RATE_RULES,
  RateLimited,
  type ClientOrigin,
  type EndUserPrincipal,
  type EnvironmentId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsTexts } from '../../common/http/operation.js';
import { IDEMPOTENCY_KEY } from '../../idempotency/index.js';
import { CoinbasePurchases } from './coinbase-purchases.service.js';
import {
  CoinbaseOnrampGetBuyUrlRequest,
  CoinbaseOnrampGetBuyUrlResponse,
  OfframpsQuery,
  OnrampsQuery,
  SupportedOfframpsResponse,
  SupportedOnrampsResponse,
} from './ramp.dto.js';
import {
  CoinbaseOnrampOrderCreateRequest,
  CoinbaseOnrampOrderResponse,
  CryptoDotComPaymentCreateRequest,
  CryptoDotComPaymentResponse,
} from './ramp-order.dto.js';
import { RampOrders } from './ramp-orders.service.js';
import { Ramps } from './ramps.service.js';

const LIMITS = ['30 calls per minute and client address', 'Vendors: 5-second timeout'];
const KEY = {
  name: IDEMPOTENCY_KEY,
  required: false,
  description: 'A repeat within 24 hours gets the answer of the first call.',
  schema: { type: 'string' },
} as const;

@ApiController('sdk/:environmentId', 'Sdk')
export class RampsController {
  constructor(
    private readonly ramps: Ramps,
    private readonly purchases: CoinbasePurchases,
    private readonly orders: RampOrders,
  ) {}

  @Get('onramps')
  @Operation({
    id: 'getSupportedOnramps',
    summary: 'List usable onramps with ready links',
    description: 'Vendors that do not sell the token on the network, or cannot be reached, are omitted.',
    limits: LIMITS,
  })
  @Public()
  @RateLimited(RATE_RULES.ramp)
  @Returns(SupportedOnrampsResponse)
  async getSupportedOnramps(
    @Environment() environmentId: EnvironmentId,
    @Query() query: OnrampsQuery,
    @Client() client: ClientOrigin,
  ) {
    return { onramps: await this.ramps.onramps(environmentId, query, client) };
  }

  @Get('offramps')
  @Operation({
    id: 'getSupportedOfframps',
    summary: 'List usable offramps with ready links',
    description: 'Vendors that do not buy the token on the network, or cannot be reached, are omitted.',
    limits: LIMITS,
  })
  @Public()
  @RateLimited(RATE_RULES.ramp)
  @Returns(SupportedOfframpsResponse)
  async getSupportedOfframps(
    @Environment() environmentId: EnvironmentId,
    @Query() query: OfframpsQuery,
    @Client() client: ClientOrigin,
  ) {
    return { offramps: await this.ramps.offramps(environmentId, query, client) };
  }

  @Post('onramps/coinbase/buy')
  @Operation({
    id: 'generateCoinbaseOnrampBuyUrl',
    summary: 'Build a hosted purchase URL at one onramp',
    description: 'The URL is single-use and expires after five minutes.',
    errors: [422, 503],
    limits: LIMITS,
  })
  @Public()
  @RateLimited(RATE_RULES.ramp)
  @Returns(CoinbaseOnrampGetBuyUrlResponse)
  generateCoinbaseOnrampBuyUrl(
    @Environment() environmentId: EnvironmentId,
    @Body() request: CoinbaseOnrampGetBuyUrlRequest,
    @Client() client: ClientOrigin,
  ) {
    return this.purchases.url(environmentId, request, client);
  }

  @Get('onramps/coinbase/networks')
  @Operation({
    id: 'getCoinbaseSupportedNetworks',
    summary: 'List networks one onramp supports',
    description: 'At most ten minutes old.',
    errors: [422, 503],
    limits: LIMITS,
  })
  @Public()
  @RateLimited(RATE_RULES.ramp)
  @ReturnsTexts()
  getCoinbaseSupportedNetworks(@Environment() environmentId: EnvironmentId) {
    return this.purchases.networks(environmentId);
  }

  @Post('onramps/coinbase/orders')
  @ApiHeader(KEY)
  @Operation({
    id: 'createCoinbaseOnrampOrder',
    summary: 'Create an order or quote at one onramp',
    description: 'Only for people with a verified email address and a phone number verified within the last 60 days.',
    errors: [403, 422, 503],
    limits: LIMITS,
  })
  @EndUser()
  @RateLimited(RATE_RULES.ramp)
  @Returns(CoinbaseOnrampOrderResponse)
  createCoinbaseOnrampOrder(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: CoinbaseOnrampOrderCreateRequest,
    @Headers(IDEMPOTENCY_KEY) key: string | undefined,
    @Client() client: ClientOrigin,
  ) {
    return this.orders.coinbaseOrder(environmentId, caller, request, key, client);
  }

  @Post('onramps/cryptoDotCom/payment')
  @ApiHeader(KEY)
  @Operation({
    id: 'createCryptoDotComPayment',
    summary: 'Create a payment at one onramp',
    errors: [403, 409, 422, 503],
    limits: LIMITS,
  })
  @EndUser()
  @RateLimited(RATE_RULES.ramp)
  @Returns(CryptoDotComPaymentResponse)
  createCryptoDotComPayment(
    @Environment() environmentId: EnvironmentId,
    @Caller() caller: EndUserPrincipal,
    @Body() request: CryptoDotComPaymentCreateRequest,
    @Headers(IDEMPOTENCY_KEY) key: string | undefined,
  ) {
    return this.orders.cryptoDotComPayment(environmentId, caller, request, key);
  }
}
