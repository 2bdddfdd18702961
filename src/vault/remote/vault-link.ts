import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { EgressPolicy, GuardedDispatcher, OutboundError, OutboundHttp } from '../../outbound/index.js';
import { KeyVaultUnavailableError } from '../vault.errors.js';

export interface VaultRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The vault's response; `body` is an empty object if it is not JSON. */
export interface VaultAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The bytes of a base64 field; null for anything but their one spelling (RFC 4648, section 4), such as a cut one. */
export function bytesIn(value: unknown): Buffer | null {
  if (typeof value !== 'string' || value === '') return null;
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? bytes : null;
}

/** The time limit of a call including its retries, since people are waiting for it. */
const PATIENCE_MS = 3_000;
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 50;

/**
 * The connection to one remote vault, and to no other host. Calls have no side effects, so failed ones are retried a few
 * times at short intervals. An outage is logged when it begins and when it ends.
 */
export class VaultLink {
  private readonly log = new Logger('KeyVault');
  private readonly http: OutboundHttp;
  private trouble: string | null = null;

  /** @param hosts `host` or `host:port`, private or not: the operator named them */
  constructor(
    private readonly vaultName: string,
    hosts: readonly string[],
  ) {
    const policy = new EgressPolicy(hosts.join(','), { allowHttp: false, allowIpLiterals: false });
    this.http = new OutboundHttp(policy, new GuardedDispatcher(policy));
  }

  /**
   * @param request builds the request for each attempt, since its signature includes the time
   * @param isBusy whether a response means that a retry may succeed
   * @throws KeyVaultUnavailableError
   */
  async ask(request: () => VaultRequest, isBusy: (answer: VaultAnswer) => boolean): Promise<VaultAnswer> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let pauseMs = FIRST_PAUSE_MS, tries = 1; ; pauseMs *= 2, tries++) {
      const isLast = tries === MAX_TRIES || performance.now() + 2 * pauseMs > deadline;
      try {
        const answer = await this.once(request(), Math.ceil(deadline - performance.now()));
        if (!isBusy(answer)) return answer;
        if (isLast) return this.fail(`answered ${answer.status} again and again`);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        if (isLast || error.kind === 'timeout') return this.fail(`cannot be reached (${error.kind})`);
      }
      await sleep(pauseMs + randomInt(pauseMs));
    }
  }

  /** Call it with the reason why the vault cannot be used, without secrets. */
  fail(reason: string): never {
    const message = `${this.vaultName} ${reason}.`;
    if (this.trouble !== message) this.log.error(message);
    this.trouble = message;
    throw new KeyVaultUnavailableError(message);
  }

  /** Call it when the vault has done its work, which includes refusing a blob. */
  answered(): void {
    if (this.trouble !== null) this.log.warn(`${this.vaultName} is available again.`);
    this.trouble = null;
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async once(request: VaultRequest, timeoutMs: number): Promise<VaultAnswer> {
    const { status, body } = await this.http.send({ ...request, timeoutMs });
    try {
      return { status, body: bodyOf(body) };
    } finally {
      body.fill(0);
    }
  }
}

function bodyOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
