import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { defineError } from '../common/errors/index.js';
import { defineEnum, type EnumValue } from '../common/fields/index.js';
import type { EnvironmentId } from '../database/index.js';
import type { DashboardUserPrincipal, EndUserPrincipal } from './principal.js';

/** What asks for a proof not older than five minutes; those of `console:` are for members. */
export const ELEVATED_SCOPES = defineEnum('TokenScope', [
  'console:admin_action:review',
  'console:approval_workflow:update',
  'console:member:invite',
  'console:mfa:reset',
  'console:project:delete',
  'console:settings:update',
  'console:sso:update',
  'console:user:delete',
  'credential:link',
  'credential:update',
  'credential:unlink',
  'user:update',
  'user:delete',
  'wallet:export',
  'wallet:delete',
  'wallet:delegate',
  'wallet:sign',
  'wallet:restore',
]);
export type ElevatedScope = EnumValue<typeof ELEVATED_SCOPES>;

/** Where the token of a fresh proof is presented, beside the credential of the session. */
export const ELEVATED_TOKEN_HEADER = 'x-elevated-access-token';

export const freshProofRequired = defineError({
  code: 'fresh_proof_required',
  status: 403,
  message: 'This asks for a proof of who you are that is not older than five minutes.',
  hint: 'Sign in or verify again with `requestedScopes`, and send the `elevatedAccessToken` of the answer in `x-elevated-access-token`.',
  cause:
    'The call has no elevated token, or one that is older than five minutes, of another session, for another scope, or used up: one for `wallet:export` or `wallet:delegate` is good once. Or it proves a credential of another account, to make the two one, by a login that is older than five minutes.',
  fix: 'Ask `checkStepUp` which credentials can give the proof, give it with the scope in `requestedScopes`, and repeat the call.',
});

/** Who is asked for a fresh proof: somebody with a session. */
export type ProvenCaller =
  Pick<EndUserPrincipal, 'userId' | 'sessionId'> | Pick<DashboardUserPrincipal, 'userId' | 'sessionId'>;

/** Tells whether a caller has given a fresh proof; identity answers. Where a decorator is enough, see `FreshProof`. */
export abstract class StepUp {
  /**
   * The same as `assertFresh`, and uses nothing up: for whoever counts calls or asks for more before the proof is used, so
   * that calls without one do not count, and a refusal costs none.
   * @throws ApiError 403 `fresh_proof_required`
   */
  abstract assertGiven(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void>;

  /**
   * Uses the proof up where it is good once. Whoever asks for one of these asks last, when nothing else can be refused.
   * @param environmentId where the caller is a user: for members the console environment
   * @param token what stands in `x-elevated-access-token`
   * @throws ApiError 403 `fresh_proof_required`
   */
  abstract assertFresh(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void>;
}

/** The same where a sign-in of the last five minutes is proof enough; identity answers. */
export abstract class RecentProofs {
  /**
   * @param token what stands in `x-elevated-access-token`
   * @throws ApiError 401 when the session has ended, 403 `fresh_proof_required`
   */
  abstract assertRecent(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void>;
}

const FRESH = Symbol('fresh-proof');
const RECENT = Symbol('recent-proof');

const tokenHeader = (scope: ElevatedScope, when: string): MethodDecorator =>
  ApiHeader({
    name: ELEVATED_TOKEN_HEADER,
    required: false,
    description: `The \`elevatedAccessToken\` of a proof with \`${scope}\` among its \`requestedScopes\`${when}.`,
    schema: { type: 'string' },
  });

/** The operation asks for a proof not older than five minutes. The access guard checks it, after the caller's rights. */
export const FreshProof = (scope: ElevatedScope): MethodDecorator =>
  applyDecorators(SetMetadata(FRESH, scope), tokenHeader(scope, ''));

/**
 * The operation asks for a proof not older than five minutes, which the sign-in may have been. Its service checks it,
 * through `RecentProof` of identity, where it knows whether anything is to change.
 */
export const RecentProofAccepted = (scope: ElevatedScope): MethodDecorator =>
  tokenHeader(scope, ', once the sign-in is older than five minutes');

/** Which calls of an operation ask for a proof. */
export interface ProofCondition {
  /** @param body as it was sent: the guard runs before the pipes, so nothing has validated it */
  asks: (body: unknown) => boolean;
  /** For the document, after "asked for". */
  words: string;
}

const EVERY_CALL: ProofCondition = { asks: () => true, words: '' };

/**
 * The operation asks for a proof not older than five minutes, which the sign-in of the session may have been. The access
 * guard checks it. A personal token is no session: nobody proves anything with it, so it is refused.
 */
export const RecentlyProven = (scope: ElevatedScope, condition = EVERY_CALL): MethodDecorator =>
  applyDecorators(
    SetMetadata(RECENT, { scope, asks: condition.asks } satisfies RecentProofRule),
    ...(condition === EVERY_CALL ? [ApiExtension('x-recent-proof', scope)] : []),
    tokenHeader(
      scope,
      `, once the sign-in is older than five minutes${condition.words && `; required only for ${condition.words}`}. Personal tokens cannot do this; API tokens need only their scopes`,
    ),
  );

interface RecentProofRule {
  scope: ElevatedScope;
  asks: (body: unknown) => boolean;
}

/** The scope that a call asks a recent proof for. */
export function recentProofOf(handler: object, body: unknown): ElevatedScope | undefined {
  const rule = Reflect.getMetadata(RECENT, handler) as RecentProofRule | undefined;
  return rule?.asks(body) ? rule.scope : undefined;
}

export const freshProofOf = (handler: object): ElevatedScope | undefined =>
  Reflect.getMetadata(FRESH, handler) as ElevatedScope | undefined;
