import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import type { Grants } from '../sessions/session-tokens.js';
import type { FullUser } from '../users/full-user.js';

/** Somebody who has proven who they are and is about to receive tokens. */
export interface Admission {
  environmentId: EnvironmentId;
  user: FullUser;
  /** Whether this sign-in created the user. */
  created: boolean;
  amr: readonly string[];
  /** A refresh renews what an earlier sign-in admitted. */
  occasion: 'sign-in' | 'refresh';
  client: ClientOrigin;
}

/** One rule about who may come in and with which permissions, such as a gate or an allowlist. */
export abstract class SignInCheck {
  /**
   * @param on the transaction of the sign-in, so that a refusal leaves nothing behind; the pool on a refresh
   * @returns what the rule adds to the token
   * @throws ApiError 403 that may name the wallet or the email refused
   */
  abstract check(admission: Admission, on: Executor): Promise<Partial<Grants> | null>;
}

/** The rules in the order in which contexts registered them; the first refusal decides. */
@Injectable()
export class SignInChecks {
  private readonly checks: SignInCheck[] = [];

  register(check: SignInCheck): void {
    this.checks.push(check);
  }

  async run(admission: Admission, on: Executor): Promise<Grants> {
    const scopes = new Set<string>();
    const lists = new Set<string>();
    for (const rule of this.checks) {
      const added = await rule.check(admission, on);
      for (const scope of added?.scopes ?? []) scopes.add(scope);
      for (const list of added?.lists ?? []) lists.add(list);
    }
    return { scopes: [...scopes], lists: [...lists] };
  }
}
