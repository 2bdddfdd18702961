import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  freshProofRequired,
  StepUp,
  type ElevatedScope,
  type EnvironmentId,
  type ProvenCaller,
} from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { SigningKeys } from '../../environments/index.js';
import { issuerOf } from '../sessions/token-claims.js';
import { TokenSigner } from '../sessions/token-signer.js';
import {
  ELEVATED_TYP,
  elevatedClaims,
  FRESH_SECONDS,
  readElevatedToken,
  type ElevatedSubject,
  type ElevatedToken,
} from './elevated-token.js';
import { UsedElevationsRepository } from './used-elevations.repository.js';

/** Single-use, because their effects cannot be undone. */
const SINGLE_USE: ReadonlySet<ElevatedScope> = new Set(['wallet:export', 'wallet:delegate']);

/** Issues tokens for fresh proofs, and checks them. */
@Injectable()
export class Elevations extends StepUp {
  constructor(
    private readonly keys: SigningKeys,
    private readonly signer: TokenSigner,
    private readonly used: UsedElevationsRepository,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * @param provenAt when the person authenticated
   * @returns null for a proof older than five minutes
   */
  async issue(
    environmentId: EnvironmentId,
    subject: Omit<ElevatedSubject, 'environmentId'>,
    scopes: readonly ElevatedScope[],
    provenAt: Date,
  ): Promise<string | null> {
    const nowSeconds = this.nowSeconds();
    const provenSeconds = Math.min(nowSeconds, Math.floor(provenAt.getTime() / 1000));
    if (provenSeconds + FRESH_SECONDS <= nowSeconds) return null;
    const issued = { issuer: this.issuerOf(environmentId), tokenId: randomUUID(), scopes, nowSeconds };
    const claims = elevatedClaims({ ...subject, environmentId }, { ...issued, provenAt: provenSeconds });
    return this.signer.sign(claims, await this.keys.signer(environmentId), ELEVATED_TYP);
  }

  /** The contents of a token, without using it up. Null if it is not a valid token of this caller. */
  private async find(
    environmentId: EnvironmentId,
    { userId, sessionId }: ProvenCaller,
    token: string | null,
  ): Promise<ElevatedToken | null> {
    // A personal token is not a session, and cannot be used for proofs.
    if (!token || !sessionId) return null;
    return readElevatedToken(token, {
      environmentId,
      userId,
      sessionId,
      issuer: this.issuerOf(environmentId),
      nowSeconds: this.nowSeconds(),
      findKey: (kid) => this.keys.verificationKey(environmentId, kid),
    });
  }

  override async assertGiven(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void> {
    if (!(await this.isGiven(environmentId, caller, scope, token))) throw freshProofRequired();
  }

  /** Whether the token proves the scope and is not used up. */
  async isGiven(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<boolean> {
    const elevated = await this.find(environmentId, caller, token);
    if (!elevated?.scopes.includes(scope)) return false;
    return !SINGLE_USE.has(scope) || !(await this.used.isUsed(environmentId, elevated.tokenId));
  }

  override async assertFresh(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void> {
    const elevated = await this.find(environmentId, caller, token);
    if (!elevated?.scopes.includes(scope)) throw freshProofRequired();
    if (!SINGLE_USE.has(scope)) return;
    if (!(await this.used.use(environmentId, elevated.tokenId, FRESH_SECONDS))) throw freshProofRequired();
  }

  private issuerOf(environmentId: EnvironmentId): string {
    return issuerOf(this.config.publicUrl, environmentId);
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.timestamp() / 1000);
  }
}
