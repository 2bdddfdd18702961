import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { defineError } from '../common/errors/index.js';
import { defineEnum, type EnumValue } from '../common/fields/index.js';
import type { EnvironmentId } from '../database/index.js';
import type { DashboardUserPrincipal, EndUserPrincipal } from './principal.js';

/** Scopes that require a proof of at most five minutes ago; those with `console:` are for members. */
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

/** The header with the token of a fresh proof, sent in addition to the session's credential. */
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

/** A caller who can give a fresh proof: one with a session. */
export type ProvenCaller =
  Pick<EndUserPrincipal, 'userId' | 'sessionId'> | Pick<DashboardUserPrincipal, 'userId' | 'sessionId'>;

/** Checks whether a caller has given a fresh proof. Implemented by identity. See also the decorator `FreshProof`. */
export abstract class StepUp {
  /**
   * Like `assertFresh`, but does not consume the proof: for callers that count calls or make further checks first, so that
   * calls without a proof are not counted and a refusal does not cost the proof.
   * @throws ApiError 403 `fresh_proof_required`
   */
  abstract assertGiven(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void>;

  /**
   * Consumes a single-use proof. Call it last, when nothing else can be refused.
   * @param environmentId the environment in which the caller is a user; for members, the console environment
   * @param token the value of `x-elevated-access-token`
   * @throws ApiError 403 `fresh_proof_required`
   */
  abstract assertFresh(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void>;
}

/** The same, but a sign-in in the last five minutes also counts as proof. Implemented by identity. */
export abstract class RecentProofs {
  /**
   * @param token the value of `x-elevated-access-token`
   * @throws ApiError 401 if the session has ended, 403 `fresh_proof_required`
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

/** The operation requires a proof of at most five minutes ago. The access guard checks it after the caller's rights. */
export const FreshProof = (scope: ElevatedScope): MethodDecorator =>
  applyDecorators(SetMetadata(FRESH, scope), tokenHeader(scope, ''));

/**
 * The operation requires a proof of at most five minutes ago, which may be the sign-in. Its service checks it through
 * `RecentProofs`, once it knows whether anything will change.
 */
export const RecentProofAccepted = (scope: ElevatedScope): MethodDecorator =>
  tokenHeader(scope, ', once the sign-in is older than five minutes');

/** Which calls of an operation require a proof. */
export interface ProofCondition {
  /** @param body the unvalidated body: the guard runs before the pipes */
  asks: (body: unknown) => boolean;
  /** For the document, after "asked for". */
  words: string;
}

const EVERY_CALL: ProofCondition = { asks: () => true, words: '' };

/**
 * The operation requires a proof of at most five minutes ago, which may be the sign-in of the session. The access guard
 * checks it. Personal tokens are refused, since they have no session and cannot give a proof.
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

/** The scope for which a call requires a recent proof. */
export function recentProofOf(handler: object, body: unknown): ElevatedScope | undefined {
  const rule = Reflect.getMetadata(RECENT, handler) as RecentProofRule | undefined;
  return rule?.asks(body) ? rule.scope : undefined;
}

export const freshProofOf = (handler: object): ElevatedScope | undefined =>
  Reflect.getMetadata(FRESH, handler) as ElevatedScope | undefined;
