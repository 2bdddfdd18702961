import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { Session } from './session.entity.js';
import { invalidSessionPublicKey } from './session.errors.js';
import { sessionCreated, sessionRevoked } from './session.events.js';
import { SessionsRepository, type NewSession } from './sessions.repository.js';

/** A session ends 30 days after sign-in, however often it is refreshed. */
const SESSION_TTL_SECONDS = 30 * 86_400;
const MAX_PUBLIC_KEY_LENGTH = 512;

/** Who signed in and how. */
export interface SignInFacts {
  userId: string;
  /** The proven credential. */
  credentialId: string | null;
  /** Authentication methods, by their RFC 8176 names where one exists. */
  amr: readonly string[];
  /** When the person authenticated, possibly earlier and elsewhere. */
  authenticatedAt: Date | null;
  sessionPublicKey?: string | null;
  client: ClientOrigin;
}

/** The session settings of the environment; read before the transaction begins. */
export interface SessionTerms {
  tokenTtlSeconds: number;
  collectIp: boolean;
}

/** The only place where a sign-in becomes a session. */
@Injectable()
export class SessionIssuer {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Refuses a key that would not fit into the tokens, before the sign-in does any work. */
  assertPublicKey(key: string | null | undefined): void {
    // As encoded in the tokens, where a control character takes six bytes and one of another script three.
    if (key && Buffer.byteLength(JSON.stringify(key)) > MAX_PUBLIC_KEY_LENGTH + 2) throw invalidSessionPublicKey();
  }

  /**
   * Writes the session and its event, and ends the user's oldest live sessions beyond 50. Three statements. For a
   * session that continues another: its credential may be gone.
   */
  async establish(
    environmentId: EnvironmentId,
    facts: SignInFacts,
    terms: SessionTerms,
    tx: Transaction,
  ): Promise<Session> {
    const continuing = { ...facts, requiredCredentialId: null };
    return (await this.write(environmentId, continuing, terms, tx, async () => null)).session;
  }

  /**
   * The same for a sign-in, with a decision still open, whose statement travels with those of the session. The user is
   * locked before it runs.
   * @throws ApiError 401 if the credential was unlinked or moved after it was looked up
   */
  establishBeside<Decided>(
    environmentId: EnvironmentId,
    facts: SignInFacts,
    terms: SessionTerms,
    tx: Transaction,
    decide: () => Promise<Decided>,
  ): Promise<{ session: Session; decided: Decided }> {
    return this.write(environmentId, { ...facts, requiredCredentialId: facts.credentialId }, terms, tx, decide);
  }

  private async write<Decided>(
    environmentId: EnvironmentId,
    facts: SignInFacts & Pick<NewSession, 'requiredCredentialId'>,
    terms: SessionTerms,
    tx: Transaction,
    decide: () => Promise<Decided>,
  ): Promise<{ session: Session; decided: Decided }> {
    const { userId, credentialId, requiredCredentialId, amr, authenticatedAt, sessionPublicKey, client } = facts;
    const seen = this.sessions.visit(environmentId, userId, credentialId, tx);
    // Sent along with the visit, and fails if the user does not exist.
    const opening = this.sessions.open(
      environmentId,
      {
        id: newId(),
        userId,
        credentialId,
        amr,
        authenticatedAt,
        audience: client.admittedOrigin ?? null,
        ipAddress: terms.collectIp ? client.ipAddress || null : null,
        userAgent: client.userAgent,
        sessionPublicKey: sessionPublicKey ?? null,
        tokenId: randomUUID(),
        tokenTtlSeconds: terms.tokenTtlSeconds,
        sessionTtlSeconds: SESSION_TTL_SECONDS,
        requiredCredentialId,
      },
      tx,
    );
    const deciding = decide();
    for (const answer of [opening, deciding]) answer.catch(() => undefined);
    if (!(await seen)) throw unauthorized();
    const opened = await opening;
    if (!opened) throw unauthorized();
    const { session, ended } = opened;
    const decided = await deciding;
    const events = [sessionCreated(session), ...ended.map((old) => sessionRevoked(old, null))];
    await this.outbox.append(environmentId, events, tx);
    return { session, decided };
  }

  /** Ends every live session of a user and emits the events. @returns what it ended */
  async endAll(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<readonly Session[]> {
    const ended = await this.sessions.endAll(environmentId, userId, tx);
    await this.tellEnded(environmentId, ended, null, tx);
    return ended;
  }

  /**
   * Ends every other session of a user who changes their credentials, and emits the events.
   * @throws ApiError 401 if the session that asks has ended meanwhile: whoever ended it wants nothing changed by it
   */
  async endOthers(environmentId: EnvironmentId, userId: string, sessionId: string, tx: Transaction): Promise<void> {
    const ended = await this.sessions.endOthers(environmentId, userId, sessionId, tx);
    if (!ended) throw unauthorized();
    await this.tellEnded(environmentId, ended, userId, tx);
  }

  private async tellEnded(
    environmentId: EnvironmentId,
    ended: readonly Session[],
    causedBy: string | null,
    tx: Transaction,
  ): Promise<void> {
    const events = ended.map((session) => sessionRevoked(session, causedBy));
    await this.outbox.append(environmentId, events, tx);
  }
}
