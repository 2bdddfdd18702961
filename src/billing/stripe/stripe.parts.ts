import type { Provider } from '@nestjs/common';
import Stripe from 'stripe';
import { VendorFigures } from '../../observability/index.js';
import { EgressPolicy, GuardedDispatcher, OutboundHttp } from '../../outbound/index.js';
import { Config } from '../../config/index.js';
import { BillingProvider } from '../billing-provider.js';
import { OutboundHttpClient } from './outbound-http-client.js';
import { ProviderEventsRepository } from './provider-events.repository.js';
import { StripeBilling } from './stripe-billing.js';
import { StripeDiscounts } from './stripe-discounts.js';
import { StripeGateway } from './stripe-gateway.js';
import { StripeMessages } from './stripe-messages.service.js';
import { StripeMirror } from './stripe-mirror.js';

/** Per request; a call makes several of them. */
const TIMEOUT_MS = 6_000;
const MAX_RETRIES = 2;

/** A plain http address, set by the operator, may be private; nothing else may. */
const makeDoor = (url: URL): OutboundHttp => {
  const isPlain = url.protocol === 'http:';
  const policy = new EgressPolicy(isPlain ? url.host : '', { allowHttp: isPlain, allowIpLiterals: false });
  return new OutboundHttp(policy, new GuardedDispatcher(policy));
};

function makeStripe(config: Config, door: OutboundHttp, figures: VendorFigures): Stripe {
  const { protocol, hostname, port } = new URL(config.get('STRIPE_API_URL'));
  return new Stripe(config.get('STRIPE_SECRET_KEY') ?? '', {
    httpClient: new OutboundHttpClient(door, figures),
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
}

/** The outbound client for Stripe, which closes with the module. */
export const STRIPE_DOOR = Symbol('STRIPE_DOOR');

export const STRIPE_PROVIDERS: Provider[] = [
  {
    provide: STRIPE_DOOR,
    inject: [Config],
    useFactory: (config: Config) => makeDoor(new URL(config.get('STRIPE_API_URL'))),
  },
  { provide: Stripe, inject: [Config, STRIPE_DOOR, VendorFigures], useFactory: makeStripe },
  ProviderEventsRepository,
  StripeDiscounts,
  StripeGateway,
  StripeMessages,
  StripeMirror,
  { provide: BillingProvider, useClass: StripeBilling },
];
