import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { TelegramBots } from '../../../providers/index.js';
import { newBrowserKey, readBrowserKey, sha256 } from './telegram-browser.js';
import { parseSignedLogin, verifyLogin, type SignedLogin, type VerifiedLogin } from './telegram-login.js';
import { TelegramLoginsRepository } from './telegram-logins.repository.js';
import {
  telegramLoginExpired,
  telegramLoginInvalid,
  telegramLoginMissing,
  telegramLoginUsed,
} from './telegram.errors.js';

const MAX_AGE_MS = 300_000;
const CLOCK_LEEWAY_MS = 60_000;

/** A client's reference to a login: the state it is stored under for its browser, or the login itself. */
export interface LoginAnswer {
  state?: string | undefined;
  telegramAuthToken?: string | undefined;
  cookies: string | undefined;
}

/** A valid login, and the step that uses it up. */
export interface UsableLogin {
  login: VerifiedLogin;
  /** @throws ApiError 422 if another call was faster */
  use: (tx: Transaction) => Promise<void>;
}

/** Logins signed by the messaging network. */
@Injectable()
export class TelegramLogins {
  constructor(
    private readonly bots: TelegramBots,
    private readonly logins: TelegramLoginsRepository,
    private readonly clock: Clock,
  ) {}

  /** The browser's key, and whether it is new. @throws providerNotAvailable */
  browserKey(environmentId: EnvironmentId, cookies: string | undefined): { key: string; isNew: boolean } {
    const known = readBrowserKey(cookies, environmentId);
    return { key: known ?? newBrowserKey(), isNew: known === null };
  }

  /** Stores a login under the state of a browser. @throws ApiError 422 */
  async keep(
    environmentId: EnvironmentId,
    state: string,
    signed: SignedLogin | null,
    cookies: string | undefined,
  ): Promise<void> {
    const login = await this.verified(environmentId, signed);
    const key = readBrowserKey(cookies, environmentId);
    if (key === null) throw telegramLoginMissing();
    const at = { browserHash: sha256(key), stateHash: sha256(state) };
    if (!(await this.logins.keep(environmentId, at, login))) throw telegramLoginUsed();
  }

  /** The login a client refers to; it stays unused. @throws ApiError 422 */
  async read(environmentId: EnvironmentId, answer: LoginAnswer): Promise<UsableLogin> {
    const { state, telegramAuthToken: token, cookies } = answer;
    if (token !== undefined) {
      const login = await this.verified(environmentId, parseSignedLogin(token));
      return { login, use: once((tx) => this.logins.useShown(environmentId, login, tx)) };
    }
    await this.bots.get(environmentId);
    const key = readBrowserKey(cookies, environmentId);
    if (key === null || state === undefined) throw telegramLoginMissing();
    const at = { browserHash: sha256(key), stateHash: sha256(state) };
    const login = await this.logins.find(environmentId, at);
    if (!login) throw telegramLoginMissing();
    return { login, use: once((tx) => this.logins.useKept(environmentId, login, tx)) };
  }

  private async verified(environmentId: EnvironmentId, signed: SignedLogin | null): Promise<VerifiedLogin> {
    const bot = await this.bots.get(environmentId);
    const login = signed && (await bot.withToken((token) => verifyLogin(signed, token)));
    if (!login) throw telegramLoginInvalid();
    const age = this.clock.now().getTime() - login.signedAt.getTime();
    if (age > MAX_AGE_MS || age < -CLOCK_LEEWAY_MS) throw telegramLoginExpired();
    return login;
  }
}

const once =
  (use: (tx: Transaction) => Promise<boolean>) =>
  async (tx: Transaction): Promise<void> => {
    if (!(await use(tx))) throw telegramLoginUsed();
  };
