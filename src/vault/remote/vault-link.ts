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

/** What the vault answered; `body` is an empty object where that is not JSON. */
export interface VaultAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** For everything that one call needs, repetitions included: people wait for it. */
const PATIENCE_MS = 3_000;
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 50;

/**
 * The way to one vault outside of this process, and to no other host. What is asked of a vault changes nothing, so a call
 * that failed is made again, soon and not often. An outage is logged when it begins and when it ends.
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
   * @param request made anew for each try, since a signature holds the time
   * @param isBusy whether an answer means that the same call may succeed in a moment
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

  /** To be called with the reason for which the vault is of no use, in words that hold no secret. */
  fail(reason: string): never {
    const message = `${this.vaultName} ${reason}.`;
    if (this.trouble !== message) this.log.error(message);
    this.trouble = message;
    throw new KeyVaultUnavailableError(message);
  }

  /** To be called when the vault did what it was asked, or refused a blob, which is its work as well. */
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
