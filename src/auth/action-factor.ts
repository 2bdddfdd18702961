import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { defineError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';
import type { EnvironmentId } from '../database/index.js';
import type { EndUserPrincipal } from './principal.js';

/** Actions that operations ask a second factor for, where the settings of an environment say so. */
export const GUARDED_ACTIONS = [
  'user.update',
  'wallet.waas.sign',
  'wallet.waas.export',
  'wallet.waas.refresh',
  'wallet.waas.reshare',
] as const;
export type GuardedAction = (typeof GUARDED_ACTIONS)[number];

/** Where the token of a second factor is presented that was given for an action. */
export const MFA_TOKEN_HEADER = 'x-mfa-auth-token';

export const mfaTokenRequired = defineError({
  code: 'mfa_token_required',
  status: 403,
  security: SecurityEvent.TokenRefused,
  message: 'This asks for a second factor that was given for it.',
  hint: 'Give the second factor with `createMfaToken`, and send the `mfaToken` of that answer in `x-mfa-auth-token`.',
  cause:
    'The environment asks for a second factor before this action. The call has no token of one, or one that is older than five minutes, was used, or belongs to another user, session or action.',
  fix: 'Call one of the mfa/auth operations in this session with `createMfaToken`, then repeat the call with the token. Somebody without a device registers one first.',
});

/** Tells whether a second factor was given for an action; identity answers. */
export abstract class ActionFactors {
  /**
   * Uses the token up. Nothing is asked where the settings do not name the action.
   * @throws ApiError 403 `mfa_token_required`
   */
  abstract assertGiven(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    action: GuardedAction,
    token: string | null,
  ): Promise<void>;

  /**
   * The same of what an operation turns out to be beside the action that it always is. A token is of one action, so where
   * the settings name that one too, the factor that was given for it is enough.
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

/** The operation is an action for which an environment may ask a second factor. The access guard asks, after the rest. */
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
