import type { FieldProblem } from './settings-validation.js';
import type { MfaMethod, MfaSettings } from './settings.types.js';

/** Kinds that users register. A code by mail takes their place for whoever has proven an address; it asks nobody by itself. */
const REGISTERED_METHODS: readonly MfaMethod[] = ['totp', 'passkey'];

/** Kinds that users may have: switched on, and in `availableMethods` if that names any. None while second factors are off. */
export function usableMfaMethods(mfa: MfaSettings | undefined): MfaMethod[] {
  if (!mfa?.enabled) return [];
  const offered = mfa.availableMethods ?? [];
  const on = (mfa.methods ?? []).filter(({ enabled }) => enabled).map(({ type }) => type);
  return [...new Set(on)].filter((type) => offered.length === 0 || offered.includes(type));
}

/** What among the settings of second factors would do nothing. */
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
