import { Injectable } from '@nestjs/common';
import { VENDOR_RETRY_SECONDS } from '../../common/errors/index.js';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { UserReader, type FullUser } from '../../identity/index.js';
import { EnabledProviders } from '../../providers/index.js';
import { CoinbaseOnramp } from './coinbase-onramp.js';
import { CryptoDotCom } from './crypto-dot-com.js';
import { KeyedOrders } from './keyed-orders.js';
import type {
  CoinbaseOnrampOrderCreateRequest,
  CoinbaseOnrampOrderResponse,
  CryptoDotComPaymentCreateRequest,
  CryptoDotComPaymentResponse,
} from './ramp-order.dto.js';
import {
  invalidOrderAmount,
  onrampEmailNeeded,
  onrampNotAvailable,
  onrampNotFound,
  onrampPhoneNeeded,
  orderOutcomeUnknown,
} from './ramp.errors.js';
import { asRampError } from './ramp-faults.js';
import { publicAddress } from './ramps.service.js';

/** The vendor requires that the phone number was verified within this time. */
const PHONE_FRESH_MS = 60 * 86_400_000;

/** Orders and payments at onramps, on behalf of a user. */
@Injectable()
export class RampOrders {
  constructor(
    private readonly providers: EnabledProviders,
    private readonly coinbase: CoinbaseOnramp,
    private readonly cryptoDotCom: CryptoDotCom,
    private readonly orders: KeyedOrders,
    private readonly users: UserReader,
    private readonly clock: Clock,
  ) {}

  /** Sends the key along: the vendor returns the same order for a repetition. */
  async coinbaseOrder(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    request: CoinbaseOnrampOrderCreateRequest,
    key: string | undefined,
    client: ClientOrigin,
  ): Promise<CoinbaseOnrampOrderResponse> {
    if ((request.paymentAmount === undefined) === (request.purchaseAmount === undefined)) throw invalidOrderAmount();
    const provider = 'coinbaseOnramp';
    const record = await this.providers.find(environmentId, provider);
    if (!record) throw onrampNotAvailable();
    const person = this.personOf(await this.users.getFull(environmentId, userId));
    const order = await this.orders.begin(environmentId, { userId, provider, request, key });
    const body = { ...request, isQuote: request.isQuote ?? false, ...person, clientIp: publicAddress(client) };
    const ask = () => this.coinbase.order(record, body, order.id);
    return asRampError(this.orders.send(environmentId, order, ask, (answer) => answer.order.orderId));
  }

  /** The vendor has no idempotency keys: a repetition returns the payment made by the first call. */
  async cryptoDotComPayment(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    request: CryptoDotComPaymentCreateRequest,
    key: string | undefined,
  ): Promise<CryptoDotComPaymentResponse> {
    if (!Number.isSafeInteger(request.amount) || request.amount <= 0) throw invalidOrderAmount();
    const provider = 'cryptoDotCom';
    const record = await this.providers.find(environmentId, provider);
    if (!record) throw onrampNotFound();
    const order = await this.orders.begin(environmentId, { userId, provider, request, key });
    if (order.isFirst) {
      const ask = () => this.cryptoDotCom.create(record, request);
      return asRampError(this.orders.sendOnce(environmentId, order, ask, ({ id }) => id));
    }
    if (order.reference === null) throw orderOutcomeUnknown({ retryAfterSeconds: VENDOR_RETRY_SECONDS });
    return asRampError(this.cryptoDotCom.find(record, order.reference));
  }

  private personOf({ verifiedCredentials }: FullUser): {
    email: string;
    phoneNumber: string;
    phoneNumberVerifiedAt: Date;
  } {
    const email = verifiedCredentials.find(({ format, verifiedAt }) => format === 'email' && verifiedAt)?.email;
    if (!email) throw onrampEmailNeeded();
    const since = this.clock.timestamp() - PHONE_FRESH_MS;
    const phone = verifiedCredentials.find(
      (one) => one.phoneNumber && one.verifiedAt && one.verifiedAt.getTime() > since,
    );
    if (!phone?.verifiedAt) throw onrampPhoneNeeded();
    const phoneNumber = `+${phone.phoneCountryCode}${phone.phoneNumber}`;
    return { email, phoneNumber, phoneNumberVerifiedAt: phone.verifiedAt };
  }
}
