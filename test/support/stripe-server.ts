import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

interface Form {
  [name: string]: string | Form;
}
interface Customer {
  id: string;
  metadata: Form;
  paymentMethod: 'none' | 'good' | 'declined';
  /** Its id can still be retrieved, but not used. */
  deleted?: true;
}
interface Subscription {
  id: string;
  customer: string;
  lookupKey: string;
  status: string;
  coupons: string[];
}
interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

export interface Seen {
  method: string;
  path: string;
  form: Form;
  key: string | null;
}

/** The parameters known to each call; Stripe rejects all others. */
const KNOWN: Record<string, readonly string[]> = {
  'POST customers': ['metadata'],
  'GET customers': ['expand'],
  'GET prices': ['lookup_keys', 'active', 'limit'],
  'POST subscriptions': ['customer', 'items', 'payment_behavior', 'billing_cycle_anchor_config', 'discounts'],
  'GET subscriptions': ['expand'],
  'DELETE subscriptions': [],
  'POST coupons': ['id', 'percent_off', 'duration'],
  'GET coupons': [],
  'POST billing_portal': ['customer', 'return_url', 'flow_data'],
};

const refusal = (status: number, type: string, code: string): Answer => ({
  status,
  body: { error: { type, code, message: `refused: ${code}` } },
});
/** Kept under its key as any other answer, so repeating the request is said to be of no use. */
const failure = (): Answer => ({
  status: 500,
  body: { error: { type: 'api_error', message: 'failed' } },
  headers: { 'stripe-should-retry': 'false' },
});
const missing = (): Answer => refusal(404, 'invalid_request_error', 'resource_missing');
const listOf = (value: string | Form | undefined): (string | Form)[] =>
  typeof value === 'object' ? Object.values(value) : [];
const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`;

/** A server with the part of the Stripe API needed to sell plans: form bodies, keys, signatures. */
export class StripeServer {
  readonly customers = new Map<string, Customer>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly coupons = new Map<string, { id: string; percent_off: number; duration: string }>();
  readonly seen: Seen[] = [];
  /** The payment method of new customers. */
  paymentMethod: Customer['paymentMethod'] = 'good';
  /** Intercepts a request before or after it is processed: returns another response, or `drop`. */
  before: (seen: Seen) => Answer | null = () => null;
  after: (seen: Seen) => Promise<'drop' | void> | 'drop' | void = () => undefined;
  /** Which requests fail while they are processed: before anything is done, or after all is. */
  failing: (seen: Seen) => 'before' | 'after' | null = () => null;
  /** The clock for its messages. */
  now = (): number => Date.now();
  private readonly answers = new Map<string, { fingerprint: string; answer: Answer | null }>();

  private constructor(
    private readonly server: Server,
    private readonly secretKey: string,
    private readonly webhookSecret: string,
  ) {
    server.on('request', (request, response) => void this.receive(request, response));
  }

  static async start(secretKey: string, webhookSecret: string): Promise<StripeServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StripeServer(server, secretKey, webhookSecret);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  customerOf(organizationId: string): Customer {
    const own = [...this.customers.values()].filter(
      ({ metadata, deleted }) => metadata['organizationId'] === organizationId && !deleted,
    );
    if (own.length !== 1) throw new Error(`${own.length} customers of one organization`);
    return own[0]!;
  }

  subscriptionsOf(organizationId: string): Subscription[] {
    const { id } = this.customerOf(organizationId);
    return [...this.subscriptions.values()].filter(({ customer }) => customer === id);
  }

  /** A message as Stripe sends it, with its signature for a given time. */
  message(
    type: string,
    object: object,
    options: { id?: string; secret?: string; ageSeconds?: number; changes?: object } = {},
  ): { body: string; headers: Record<string, string> } {
    const { id = newId('evt'), secret = this.webhookSecret, ageSeconds = 0, changes } = options;
    const event = { id, object: 'event', type, created: 1_700_000_000, data: { object }, ...changes };
    const body = JSON.stringify(event, null, 2);
    const time = Math.floor(this.now() / 1000) - ageSeconds;
    const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${time},v1=${v1},v0=${'0'.repeat(64)}`,
    };
    return { body, headers };
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const body = await text(request);
    const form = readForm(request.method === 'GET' ? searchParams : new URLSearchParams(body));
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
    const seen: Seen = { method: request.method ?? '', path: pathname, form, key };
    this.seen.push(seen);
    const answer =
      this.before(seen) ?? this.refuseStranger(request) ?? (await this.onceFor(key, `${pathname}?${body}`, seen));
    if ((await this.after(seen)) === 'drop') return void response.destroy();
    const headers = { 'content-type': 'application/json', 'request-id': newId('req'), ...answer.headers };
    response.writeHead(answer.status, headers);
    response.end(JSON.stringify(answer.body));
  }

  private refuseStranger({ headers, method }: IncomingMessage): Answer | null {
    if (headers.authorization !== `Bearer ${this.secretKey}`)
      return refusal(401, 'invalid_request_error', 'api_key_invalid');
    if (!headers['stripe-version']) return refusal(400, 'invalid_request_error', 'version_missing');
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    return method === 'GET' || isForm ? null : refusal(400, 'invalid_request_error', 'not_a_form');
  }

  /** One response per key, whatever it is; a different or concurrent request with the same key is refused. */
  private async onceFor(key: string | null, fingerprint: string, seen: Seen): Promise<Answer> {
    const known = key === null ? undefined : this.answers.get(key);
    if (known && known.fingerprint !== fingerprint) return refusal(400, 'idempotency_error', 'idempotency_mismatch');
    if (known?.answer) {
      const { headers, ...answer } = known.answer;
      return { ...answer, headers: { ...headers, 'idempotent-replayed': 'true' } };
    }
    if (known) return refusal(409, 'idempotency_error', 'idempotency_key_in_use');
    const kept: { fingerprint: string; answer: Answer | null } = { fingerprint, answer: null };
    if (key !== null) this.answers.set(key, kept);
    await delay(10);
    const failing = this.failing(seen);
    const answer = failing === 'before' ? failure() : this.answer(seen);
    kept.answer = failing === null ? answer : failure();
    return kept.answer;
  }

  private answer({ method, path, form }: Seen): Answer {
    const [, version, resource = '', id] = path.split('/');
    const known = KNOWN[`${method} ${resource}`];
    if (version !== 'v1' || !known) return missing();
    const unknown = Object.keys(form).find((name) => !known.includes(name));
    if (unknown) return refusal(400, 'invalid_request_error', 'parameter_unknown');
    switch (`${method} ${resource}`) {
      case 'POST customers':
        return this.createCustomer(form);
      case 'GET customers':
        return this.showCustomer(id ?? '', form);
      case 'GET prices':
        return this.listPrices(form);
      case 'POST subscriptions':
        return id ? this.updateSubscription(id, form) : this.createSubscription(form);
      case 'GET subscriptions':
        return this.showSubscription(id ?? '', form);
      case 'DELETE subscriptions':
        return this.cancelSubscription(id ?? '');
      case 'POST coupons':
        return this.createCoupon(form);
      case 'GET coupons':
        return this.coupons.has(id ?? '') ? { status: 200, body: this.coupons.get(id ?? '')! } : missing();
      default:
        return this.openPortal(form);
    }
  }

  private createCustomer({ metadata }: Form): Answer {
    const customer = { id: newId('cus'), metadata: metadata as Form, paymentMethod: this.paymentMethod };
    this.customers.set(customer.id, customer);
    return { status: 200, body: { id: customer.id, object: 'customer' } };
  }

  private showCustomer(id: string, { expand }: Form): Answer {
    const customer = this.customers.get(id);
    if (!customer) return missing();
    if (customer.deleted) return { status: 200, body: { id, object: 'customer', deleted: true } };
    const method = customer.paymentMethod === 'none' ? null : 'pm_1';
    const own = [...this.subscriptions.values()].filter((each) => each.customer === id && each.status !== 'canceled');
    const subscriptions = { object: 'list', data: own.map((each) => this.shown(each)) };
    return {
      status: 200,
      body: {
        id,
        object: 'customer',
        default_source: null,
        invoice_settings: { default_payment_method: method },
        ...(listOf(expand).includes('subscriptions') && { subscriptions }),
      },
    };
  }

  private listPrices({ lookup_keys }: Form): Answer {
    const data = listOf(lookup_keys)
      .filter((key) => /^gatehouse_(standard|advanced|enterprise)$/.test(String(key)))
      .map((key) => ({ id: `price_${String(key)}`, object: 'price', lookup_key: key }));
    return { status: 200, body: { object: 'list', data } };
  }

  private createSubscription({ customer, items, discounts }: Form): Answer {
    const owner = this.customers.get(customer as string);
    const coupons = listOf(discounts).map((each) => (each as Form)['coupon'] as string);
    if (!owner || owner.deleted || coupons.some((code) => !this.coupons.has(code))) return missing();
    const isFree = coupons.some((code) => this.coupons.get(code)?.percent_off === 100);
    if (owner.paymentMethod === 'none' && !isFree) return refusal(400, 'invalid_request_error', 'resource_missing');
    if (owner.paymentMethod === 'declined' && !isFree) return refusal(402, 'card_error', 'card_declined');
    const lookupKey = priceOf(items).replace('price_', '');
    const subscription = { id: newId('sub'), customer: owner.id, lookupKey, status: 'active', coupons };
    this.subscriptions.set(subscription.id, subscription);
    return { status: 200, body: this.shown(subscription) };
  }

  private updateSubscription(id: string, { items, discounts }: Form): Answer {
    const subscription = this.subscriptions.get(id);
    if (!subscription) return missing();
    // An existing one is kept by its discount, whatever became of its coupon.
    const coupons = listOf(discounts).map((each) => {
      const { coupon, discount } = each as Record<string, string>;
      if (coupon !== undefined) return this.coupons.has(coupon) ? coupon : null;
      return subscription.coupons.find((code) => discountOf(subscription, code) === discount) ?? null;
    });
    if (!coupons.every((code) => code !== null)) return missing();
    if (items) subscription.lookupKey = priceOf(items).replace('price_', '');
    if (discounts) subscription.coupons = coupons;
    return { status: 200, body: this.shown(subscription) };
  }

  private showSubscription(id: string, { expand }: Form): Answer {
    const subscription = this.subscriptions.get(id);
    if (!subscription) return missing();
    const discounts = subscription.coupons.map((coupon) => {
      const source = { type: 'coupon', coupon };
      return { id: discountOf(subscription, coupon), object: 'discount', subscription: id, source };
    });
    const isExpanded = listOf(expand).includes('discounts');
    return { status: 200, body: { ...this.shown(subscription), ...(isExpanded && { discounts }) } };
  }

  private cancelSubscription(id: string): Answer {
    const subscription = this.subscriptions.get(id);
    if (!subscription || subscription.status === 'canceled') return missing();
    subscription.status = 'canceled';
    return { status: 200, body: this.shown(subscription) };
  }

  private createCoupon({ id, percent_off, duration }: Form): Answer {
    if (this.coupons.has(id as string)) return refusal(400, 'invalid_request_error', 'resource_already_exists');
    const coupon = { id: id as string, percent_off: Number(percent_off), duration: duration as string };
    this.coupons.set(coupon.id, coupon);
    return { status: 200, body: coupon };
  }

  private openPortal({ customer, flow_data }: Form): Answer {
    const owner = this.customers.get(customer as string);
    if (!owner || owner.deleted) return missing();
    const flow = flow_data ? `?flow=${String((flow_data as Form)['type'])}` : '';
    return { status: 200, body: { object: 'billing_portal.session', url: `https://billing.example.com/p${flow}` } };
  }

  shown({ id, customer, lookupKey, status, coupons }: Subscription): object {
    const item = { id: `si_${id}`, object: 'subscription_item', price: { object: 'price', lookup_key: lookupKey } };
    return {
      ...{ id, object: 'subscription', customer, status, default_payment_method: null },
      items: { object: 'list', data: [item] },
      discounts: coupons.map((coupon) => discountOf({ id }, coupon)),
    };
  }
}

const discountOf = ({ id }: Pick<Subscription, 'id'>, coupon: string): string => `di_${id}_${coupon}`;

const priceOf = (items: string | Form | undefined): string => String((listOf(items)[0] as Form)['price']);

/** `items[0][price]=a` as `{ items: { 0: { price: 'a' } } }`. */
function readForm(params: URLSearchParams): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of params) {
    const path = name.split(/\[|\]\[?/).filter((part) => part !== '');
    const last = path.pop() ?? '';
    let place = form;
    for (const part of path) place = (place[part] ??= Object.create(null) as Form) as Form;
    place[last] = value;
  }
  return form;
}
