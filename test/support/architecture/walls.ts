import type { ModulesContainer } from '@nestjs/core';

type Module = ModulesContainer extends Map<string, infer M> ? M : never;
type Token = Parameters<Module['hasProvider']>[0];

/** Modules of Nest and its libraries, which are not checked. */
const OF_LIBRARIES = new Set(['InternalCoreModule', 'TypeOrmCoreModule', 'TypeOrmModule', 'BullModule', 'JwtModule']);

const isOurs = (module: Module): boolean => !OF_LIBRARIES.has(module.metatype?.name ?? '');
const nameOf = (token: Token): string => (typeof token === 'function' ? token.name : String(token));

/** Global modules not listed as infrastructure. */
export const findGlobals = (modules: ModulesContainer, allowed: Readonly<Record<string, string>>): string[] =>
  [...modules.values()]
    .filter((module) => module.isGlobal && isOurs(module) && !(module.name in allowed))
    .map(({ name }) => name)
    .sort();

interface Injected {
  readonly by: string;
  readonly token: Token;
}

interface Marked {
  readonly index: number;
  readonly param: Token;
}

/** The dependencies of a module's constructors and factories. */
function injectedInto(module: Module): Injected[] {
  const wrappers = [...module.providers.values(), ...module.controllers.values(), ...module.injectables.values()];
  return wrappers.flatMap(({ name, metatype, inject, isNotMetatype }) => {
    const by = String(name);
    if (inject) {
      return inject.flatMap((item) => (typeof item === 'object' && 'token' in item ? [] : [{ by, token: item }]));
    }
    if (isNotMetatype || typeof metatype !== 'function') return [];
    const types = (Reflect.getMetadata('design:paramtypes', metatype) ?? []) as Token[];
    const named = (Reflect.getMetadata('self:paramtypes', metatype) ?? []) as Marked[];
    const optional = (Reflect.getMetadata('optional:paramtypes', metatype) ?? []) as number[];
    return types.flatMap((type, index) => {
      const token = named.find((mark) => mark.index === index)?.param ?? type;
      return optional.includes(index) || token === undefined ? [] : [{ by, token }];
    });
  });
}

/**
 * Exports that no other module injects. `asked` names classes resolved from the running application: by programs, and
 * by the guard for handlers that name an owner lookup.
 */
export function findNeedlessExports(modules: ModulesContainer, asked: ReadonlySet<string>): string[] {
  const injected = [...modules.values()].map((module) => {
    return { module, tokens: new Set(injectedInto(module).map(({ token }) => token)) };
  });
  return [...modules.values()].filter(isOurs).flatMap((module) =>
    [...module.exports]
      .filter((token) => module.providers.has(token) && !asked.has(nameOf(token)))
      .filter((token) => !injected.some((other) => other.module !== module && other.tokens.has(token)))
      .map((token) => `${module.name}: ${nameOf(token)}`),
  );
}
