import { Injectable } from '@nestjs/common';
import type { ClientOrigin, ElevatedScope } from '../../../auth/index.js';
import { ApiError, conflict, notFound, unauthorized } from '../../../common/errors/index.js';
import { lockTimeout, UnitOfWork, wasOvertaken, type EnvironmentId } from '../../../database/index.js';
import { failedAt } from '../../../providers/index.js';
import { isEmbedded } from '../../credentials/embedded.js';
import type { VerifiedCredential, WalletAdditionalAddress } from '../../credentials/verified-credential.dto.js';
import { AccountNotices } from '../../notices/account-notices.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { UserFacets } from '../../users/user-facets.js';
import { SECOND_FACTORS } from '../../vocabulary/factors.js';
import type { WalletProvider } from '../../vocabulary/wallets.js';
import { Admissions } from '../admission/admissions.js';
import type { AdmittedIdentifier } from '../proofs/admitted-identifiers.js';
import { takingBack } from '../proofs/proof.js';
import { ProofOwners } from '../proofs/proof-owners.js';
import { SessionAnswer } from '../sessions/session-answer.js';
import { SignInDoor } from '../proofs/sign-in-door.js';
import type { SignInMethod } from '../proofs/sign-in-method.js';
import { withPreparation } from '../admission/sign-in-checks.js';

export interface SignInOptions {
  client: ClientOrigin;
  captchaToken?: string | undefined;
  sessionPublicKey?: string | undefined;
  /** Additional scopes for which the proof counts as fresh, for five minutes. */
  requestedScopes?: readonly ElevatedScope[] | undefined;
}

/**
 * From a proof to tokens, whatever the method: rate limit and captcha come first; then one transaction uses up the
 * proof, finds or creates the user, runs the rules and writes the session, so a refusal anywhere leaves nothing behind,
 * not even the session.
 */
@Injectable()
export class SignInFlow {
  constructor(
    private readonly door: SignInDoor,
    private readonly owners: ProofOwners,
    private readonly admissions: Admissions,
    private readonly issuer: SessionIssuer,
    private readonly facets: UserFacets,
    private readonly answer: SessionAnswer,
    private readonly notices: AccountNotices,
    private readonly work: UnitOfWork,
  ) {}

  async complete<Answer>(
    environmentId: EnvironmentId,
    method: SignInMethod<Answer, never>,
    answer: Answer,
    options: SignInOptions,
  ): Promise<SignedIn<FullUser>> {
    const { client, sessionPublicKey, requestedScopes = [] } = options;
    this.issuer.assertPublicKey(sessionPublicKey);
    await this.door.pass(environmentId, method, options);
    const proof = await method.prove(environmentId, answer, client).catch(failedAt(method.name));
    const { amr, at, voucher } = proof.assurance;
    assertFirstFactor(method, amr);
    const [terms] = await Promise.all([this.answer.terms(environmentId), this.door.assertProves(environmentId, proof)]);
    const occasion = 'sign-in';
    const attempt = (prepared: boolean) =>
      this.work.run(async (tx) => {
        const { user, created, credentialId, shown, added } = await this.owners.ensure(environmentId, proof, tx);
        const admission = { environmentId, user, created, amr, voucher, occasion, client, prepared } as const;
        const decide = await this.admissions.ask(admission, tx);
        const facts = { userId: user.id, credentialId, amr, authenticatedAt: at, sessionPublicKey, client };
        const { issuer } = this;
        const { session, decided: grants } = await issuer.establishBeside(environmentId, facts, terms, tx, decide);
        this.facets.connect(environmentId, user.id, shown, tx);
        await this.admissions.follow(admission, tx);
        return { admitted: { session, grants, user: visited(user, session.createdAt, credentialId, shown) }, added };
      });
    const { admitted, added } = await onceMore(() => withPreparation(attempt)).catch(takingBack(proof));
    await this.tell(environmentId, admitted.user.id, added, client);
    return this.answer.issue(environmentId, { ...admitted, occasion }, terms, {
      scopes: requestedScopes,
      provenAt: at,
    });
  }

  /** Notifies the user of a credential the proof added, but not at the added address itself. */
  private async tell(
    environmentId: EnvironmentId,
    userId: string,
    added: readonly AdmittedIdentifier[],
    { userAgent }: ClientOrigin,
  ): Promise<void> {
    const [first] = added;
    if (!first) return;
    const isNew = (address: string): boolean =>
      added.some(({ key }) => key.kind === 'email' && key.identifier === address);
    const known = await this.notices.addressesOf(environmentId, userId);
    const recipients = known.filter(({ address }) => !isNew(address));
    const about = first.key.credential.format;
    await this.notices.tell(environmentId, recipients, { change: 'credentialJoined', about, userAgent });
  }
}

/**
 * A proof is the first factor: with one of these methods, a session would count as having passed the second.
 * @throws Error for the author of the method
 */
function assertFirstFactor({ name }: Pick<SignInMethod, 'name'>, amr: readonly string[]): void {
  const second = SECOND_FACTORS.find((factor) => amr.includes(factor));
  if (second) throw new Error(`The sign-in method ${name} says "${second}" in amr, which stands for a second factor.`);
}

/**
 * If the user is erased during the sign-in, or loses the credential, the attempt is rolled back and the proof stays valid
 * for one retry, which finds who has the credential now, or nobody and creates a new user.
 * @throws ApiError 422 `lock_timeout` if the retry was overtaken as well
 */
async function onceMore<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!hasMetDeparting(error)) throw error;
  }
  return attempt().catch((error: unknown) => {
    throw hasMetDeparting(error) ? lockTimeout({ cause: error }) : error;
  });
}

/** Errors for a departing user: no session, no user, no claim. Rules of extensions refuse with codes of their own. */
const OF_DEPARTING = [unauthorized, notFound, conflict].map(({ definition }) => definition.code);

const hasMetDeparting = (error: unknown): boolean =>
  wasOvertaken(error) || (error instanceof ApiError && OF_DEPARTING.includes(error.code));

/** An external wallet in the application that has just signed, as stored by the facet. */
function connected(stored: VerifiedCredential, shown: AdmittedIdentifier['credential'] = {}): VerifiedCredential {
  if (isEmbedded(stored)) return stored;
  const { walletName, walletProvider, walletAdditionalAddresses: others } = shown;
  return {
    ...stored,
    ...(walletName && { wallet_name: walletName }),
    ...(walletProvider && { wallet_provider: walletProvider as WalletProvider }),
    ...(others && { wallet_additional_addresses: others as unknown as WalletAdditionalAddress[] }),
  };
}

/** The user as updated by the sign-in, which saves reading them again. */
function visited(
  user: FullUser,
  now: Date,
  credentialId: string | null,
  [first]: readonly AdmittedIdentifier[],
): FullUser {
  const { firstVisit, lastVerifiedCredentialId } = user;
  return {
    ...user,
    verifiedCredentials: user.verifiedCredentials.map((credential) =>
      credential.id === credentialId && credential.format === 'blockchain'
        ? { ...connected(credential, first?.credential), lastSelectedAt: now }
        : credential,
    ),
    firstVisit: firstVisit ?? now,
    lastVisit: now,
    newUser: !firstVisit,
    lastVerifiedCredentialId: credentialId ?? lastVerifiedCredentialId,
  };
}
