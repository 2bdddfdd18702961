import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { defineError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';
import type { EnvironmentId } from '../database/index.js';
import type { EndUserPrincipal } from './principal.js';

/** Actions for which the settings of an environment may require a second factor. */
export const GUARDED_ACTIONS = [
  'user.update',
  'wallet.waas.sign',
  'wallet.waas.export',
  'wallet.waas.refresh',
  'wallet.waas.reshare',
] as const;
export type GuardedAction = (typeof GUARDED_ACTIONS)[number];

/** The header with the token of a second factor given for an action. */
export const MFA_TOKEN_HEADER = 'x-mfa-auth-token';

export const mfaTokenRequired = defineError({
  code: 'mfa_token_required',
  status: 403,
  security: SecurityEvent.TokenRefused,
  message: 'This asks for a second factor that was given for it.',
  hint: 'Give the second factor with `createMfaToken`, and send the `mfaToken` of that answer in `x-mfa-auth-token`.',
  cause:
    'The environment asks for a second factor before this action, from users who have one or from everyone. The call has no token of one, or one that is older than five minutes, was used, or belongs to another user, session or action.',
  fix: 'Call one of the mfa/auth operations in this session with `createMfaToken`, then repeat the call with the token. Somebody without a device registers one first.',
});

/** Checks whether a second factor was given for an action. Implemented by identity. */
export abstract class ActionFactors {
  /**
   * Consumes the token. A no-op if the settings do not require a factor for the action.
   * @throws ApiError 403 `mfa_token_required`
   */
  abstract assertGiven(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    action: GuardedAction,
    token: string | null,
  ): Promise<void>;

  /**
   * The same for an additional action that an operation turns out to perform. A token is for one action, so if the settings
   * also require a factor for the operation's main action, the factor given for that is enough.
   * @throws ApiError 403 `mfa_token_required`
   */
  abstract assertGivenBeside(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { action, operation }: { readonly action: GuardedAction; readonly operation: GuardedAction },
    token: string | null,
  ): Promise<void>;
}

const ACTION = Symbol('guarded-action');

/** The operation is an action that may require a second factor. The access guard checks this last. */
export const SecondFactorFor = (action: GuardedAction): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACTION, action),
    ApiExtension('x-mfa-action', action),
    ApiHeader({
      name: MFA_TOKEN_HEADER,
      required: false,
      description: `The \`mfaToken\` of a second factor, required if the environment demands one for \`${action}\`.`,
      schema: { type: 'string' },
    }),
  );

export const guardedActionOf = (handler: object): GuardedAction | undefined =>
  Reflect.getMetadata(ACTION, handler) as GuardedAction | undefined;
