import type { FieldProblem } from './settings-validation.js';
import type { MfaMethod, MfaSettings } from './settings.types.js';

/**
 * Methods that users register. An emailed code replaces them for verified addresses, but is never required by itself.
 */
const REGISTERED_METHODS: readonly MfaMethod[] = ['totp', 'passkey'];

/** Methods that users may have: enabled, and in `availableMethods` if it is not empty. None while MFA is off. */
export function usableMfaMethods(mfa: MfaSettings | undefined): MfaMethod[] {
  if (!mfa?.enabled) return [];
  const offered = mfa.availableMethods ?? [];
  const on = (mfa.methods ?? []).filter(({ enabled }) => enabled).map(({ type }) => type);
  return [...new Set(on)].filter((type) => offered.length === 0 || offered.includes(type));
}

/** MFA settings that would have no effect. */
export function mfaProblems(mfa: MfaSettings | undefined): FieldProblem[] {
  if (!mfa) return [];
  const { methods = [], availableMethods = [], actions = [], enabled, required } = mfa;
  const at = (path: string): string => `security.mfa.${path}`;
  const on = methods.filter((method) => method.enabled).map(({ type }) => type);
  return [
    ...availableMethods.flatMap((type, index) =>
      on.includes(type)
        ? []
        : [{ path: at(`availableMethods.${index}`), message: `${type} is not among the enabled methods` }],
    ),
    ...actions.flatMap(({ required: isAsked }, index) =>
      isAsked && !enabled ? [{ path: at(`actions.${index}.required`), message: 'needs `enabled`' }] : [],
    ),
    ...(enabled && !usableMfaMethods(mfa).some((type) => REGISTERED_METHODS.includes(type))
      ? [{ path: at('enabled'), message: 'needs a method that users register: totp or passkey' }]
      : []),
    ...(required && !enabled ? [{ path: at('required'), message: 'needs `enabled`' }] : []),
  ];
}
