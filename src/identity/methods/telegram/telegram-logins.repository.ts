import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Executor } from '../../../database/index.js';
import type { TelegramLogin } from './telegram-login.entity.js';
import type { VerifiedLogin } from './telegram-login.js';

/** Longer than a login is accepted, so that none is forgotten while it is valid. */
const KEPT_SECONDS = 600;

/** Only the first insert counts, per login and per state of a browser. */
const KEEP = scopedStatement(
  'telegramLogins.store',
  `INSERT INTO telegram_logins
     (environment_id, login_hash, browser_hash, state_hash, account, signed_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
   ON CONFLICT DO NOTHING`,
);

const FIND = scopedStatement(
  'telegramLogins.find',
  `SELECT login_hash AS "loginHash", account, signed_at AS "signedAt" FROM telegram_logins
   WHERE environment_id = $1 AND browser_hash = $2 AND state_hash = $3 AND used_at IS NULL AND expires_at > now()`,
);

const USE_KEPT = scopedStatement(
  'telegramLogins.consumeKept',
  `UPDATE telegram_logins SET used_at = now(), account = NULL
   WHERE environment_id = $1 AND login_hash = $2 AND used_at IS NULL AND expires_at > now()`,
);

const USE_SHOWN = scopedStatement(
  'telegramLogins.recordUsed',
  `INSERT INTO telegram_logins (environment_id, login_hash, signed_at, used_at, expires_at)
   VALUES ($1, $2, $3, now(), now() + make_interval(secs => $4))
   ON CONFLICT DO NOTHING`,
);

/** Identifies a browser and one of its sign-ins. */
export interface BrowserState {
  browserHash: Buffer;
  stateHash: Buffer;
}

@Injectable()
export class TelegramLoginsRepository {
  constructor(private readonly database: Database) {}

  /** False if the login was stored before, or the browser has another one for the state. */
  async keep(environmentId: EnvironmentId, at: BrowserState, login: VerifiedLogin): Promise<boolean> {
    const { loginHash, account, signedAt } = login;
    const values = [environmentId, loginHash, at.browserHash, at.stateHash, account, signedAt, KEPT_SECONDS];
    return (await this.database.execute(KEEP, values)) === 1;
  }

  /** A login not used yet. */
  async find(environmentId: EnvironmentId, { browserHash, stateHash }: BrowserState): Promise<VerifiedLogin | null> {
    type Row = Pick<TelegramLogin, 'loginHash' | 'signedAt'> & { account: VerifiedLogin['account'] };
    return (await this.database.rows<Row>(FIND, [environmentId, browserHash, stateHash]))[0] ?? null;
  }

  /** True for the one caller that uses a stored login. */
  async useKept(environmentId: EnvironmentId, { loginHash }: VerifiedLogin, on: Executor): Promise<boolean> {
    return (await on.execute(USE_KEPT, [environmentId, loginHash])) === 1;
  }

  /** True for the one caller that uses a login presented directly. */
  async useShown(environmentId: EnvironmentId, login: VerifiedLogin, on: Executor): Promise<boolean> {
    const { loginHash, signedAt } = login;
    return (await on.execute(USE_SHOWN, [environmentId, loginHash, signedAt, KEPT_SECONDS])) === 1;
  }
}
