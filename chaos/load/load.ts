import { setTimeout as delay } from 'node:timers/promises';
import type { PlantedCode, Tenant } from '../../bench/plant/tenant.js';
import { jsonOf, type Call, type Client, type Reply } from './client.js';
import type { Ledger, Operation, OperationKind } from './ledger.js';

/** Shares of the mixed load, in per cent. */
const MIX: readonly (readonly [OperationKind, number])[] = [
  ['createUser', 45],
  ['updateUser', 20],
  ['createWallet', 8],
  ['signIn', 12],
  ['getUser', 15],
];

interface Known {
  readonly id: string;
  readonly email: string;
  hasWallet: boolean;
  /** A change is in progress, or the outcome of the last one is unknown. */
  busy: boolean;
}

/** Clients that sign people up and in, with everything recorded. */
export class Load {
  private readonly known: Known[] = [];
  private readonly codes: PlantedCode[];
  private made = 0;

  constructor(
    private readonly client: Client,
    private readonly tenant: Tenant,
    private readonly ledger: Ledger,
    private readonly random: () => number,
  ) {
    this.codes = [...tenant.codes];
  }

  /** Requests at a constant rate, whatever their outcome, until the time is over or the signal fires. */
  async run({ perSecond, ms, until }: { perSecond: number; ms: number; until?: AbortSignal }): Promise<void> {
    const from = performance.now();
    const running = new Set<Promise<unknown>>();
    for (let sent = 0; !until?.aborted; sent += 1) {
      const at = (sent * 1000) / perSecond;
      if (at >= ms) break;
      const wait = from + at - performance.now();
      if (wait > 1) await delay(wait);
      const one: Promise<unknown> = this.one(this.draw()).finally(() => running.delete(one));
      running.add(one);
    }
    await Promise.all(running);
  }

  /** Requests per second when a few clients each send the next one as soon as they have a response. */
  async measure({ clients, ms }: { clients: number; ms: number }): Promise<number> {
    const from = performance.now();
    let answered = 0;
    const ask = async (): Promise<void> => {
      while (performance.now() - from < ms) {
        await this.one(this.draw());
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, ask));
    return (answered * 1000) / (performance.now() - from);
  }

  /** One operation; without a subject to work on, it creates a user. */
  one(kind: OperationKind): Promise<Operation> {
    if (kind === 'signIn') {
      const code = this.codes.shift();
      if (code) return this.signIn(code);
    }
    const user = this.pick(kind === 'createWallet' ? ({ hasWallet }) => !hasWallet : () => true);
    if (user && kind === 'getUser') return this.getUser(user);
    if (user && kind === 'updateUser') return this.updateUser(user);
    if (user && kind === 'createWallet') return this.createWallet(user);
    return this.createUser();
  }

  async createUser(): Promise<Operation> {
    const email = `chaos-${(this.made += 1)}@chaos.example`;
    const body = { email, emailVerifiedAt: '2026-01-01T00:00:00.000Z', alias: 'as made' };
    const operation = await this.send('createUser', email, { method: 'POST', path: this.path('/users'), body });
    const id = operation.resultId;
    if (operation.outcome === 'ok' && id) this.known.push({ id, email, hasWallet: false, busy: false });
    return operation;
  }

  private async updateUser(user: Known): Promise<Operation> {
    const value = `value ${(this.made += 1)}`;
    user.busy = true;
    const call: Call = { method: 'PUT', path: this.path(`/users/${user.id}`), body: { alias: value } };
    const operation = await this.send('updateUser', user.id, call, value);
    // A change with unknown outcome could still overwrite a later one, so there is no later one.
    user.busy = operation.outcome === 'unknown';
    return operation;
  }

  private async createWallet(user: Known): Promise<Operation> {
    user.hasWallet = true;
    const body = { identifier: user.email, type: 'email', chains: ['EVM'] };
    return this.send('createWallet', user.email, { method: 'POST', path: this.path('/embeddedWallets'), body });
  }

  private getUser(user: Known): Promise<Operation> {
    return this.send('getUser', user.id, { method: 'GET', path: this.path(`/users/${user.id}`) });
  }

  private signIn(code: PlantedCode): Promise<Operation> {
    const path = `/api/v0/sdk/${this.tenant.environmentId}/emailVerifications/signin`;
    return this.send('signIn', code.verificationUUID, { method: 'POST', path, headers: {}, body: code });
  }

  private async send(kind: OperationKind, key: string, call: Call, value: string | null = null): Promise<Operation> {
    const end = this.ledger.invoke(kind, key, value);
    const reply = await this.client.call({ headers: { authorization: `Bearer ${this.tenant.token}` }, ...call });
    return end({ status: reply.status, ...(reply.error && { error: reply.error }), resultId: idIn(reply) });
  }

  private path(below: string): string {
    return `/api/v0/environments/${this.tenant.environmentId}${below}`;
  }

  private pick(fits: (user: Known) => boolean): Known | null {
    for (let tries = 0; tries < 8; tries += 1) {
      const user = this.known[Math.floor(this.random() * this.known.length)];
      if (user && !user.busy && fits(user)) return user;
    }
    return null;
  }

  private draw(): OperationKind {
    let drawn = this.random() * 100;
    for (const [kind, part] of MIX) {
      drawn -= part;
      if (drawn < 0) return kind;
    }
    return 'createUser';
  }
}

function idIn(reply: Reply): string | null {
  const body = jsonOf(reply);
  const user = (body['user'] ?? body) as { id?: unknown };
  return typeof user.id === 'string' ? user.id : null;
}
