import type { FieldProblem } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';

/** Items of a list with the same key: readers disagree on which of them counts, and a client shows both. */
export function repeatedKeyProblems({ chains, kyc, security, sdk }: ProjectSettings): FieldProblem[] {
  return [
    ...repeated('chains', 'name', chains),
    ...chains.flatMap(({ networks }, index) => repeated(`chains.${index}.networks`, 'networkId', networks)),
    ...repeated('kyc', 'name', kyc),
    ...repeated('security.mfa.methods', 'type', security.mfa?.methods),
    ...repeated('security.mfa.actions', 'action', security.mfa?.actions),
    ...repeated('sdk.embeddedWallets.chainConfigurations', 'name', sdk.embeddedWallets?.chainConfigurations),
    ...repeated('sdk.views', 'type', sdk['views'] as { type: string }[] | undefined),
  ];
}

function repeated<K extends string>(
  list: string,
  key: K,
  items: readonly { readonly [key in K]: string | number }[] = [],
): FieldProblem[] {
  const known = new Set<string | number>();
  return items.flatMap(({ [key]: value }, index) => {
    if (known.has(value)) return [{ path: `${list}.${index}.${key}`, message: `${value} is in the list already` }];
    known.add(value);
    return [];
  });
}
