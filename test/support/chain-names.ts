/** The names that clients know: of the chain of a credential, and of a chain with its networks. */
const NAMESPACES: ReadonlySet<string> = new Set([
  ...['eip155', 'solana', 'bip122', 'sui', 'cosmos', 'flow', 'starknet', 'algorand', 'aptos', 'ton', 'tron'],
  ...['eclipse', 'spark'],
]);
const CLIENT_NAMES: ReadonlySet<string> = new Set([
  ...['evm', 'solana', 'bitcoin', 'sui', 'cosmos', 'flow', 'starknet', 'algo', 'aptos', 'ton', 'tron'],
  ...['eclipse', 'spark'],
]);

export interface ShownNames {
  /** What chains of credentials are called. */
  credentials: string[];
  /** What chains with networks are called. */
  networks: string[];
}

/** Every name of a chain in an answer that clients read as a credential or as a chain with its networks. */
export function shownNames(value: unknown, shown: ShownNames = { credentials: [], networks: [] }): ShownNames {
  if (Array.isArray(value)) for (const item of value) shownNames(item, shown);
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    if (fields['format'] === 'blockchain') shown.credentials.push(String(fields['chain']));
    if ('chainName' in fields && Array.isArray(fields['networks'])) shown.networks.push(String(fields['chainName']));
    for (const field of Object.values(fields)) shownNames(field, shown);
  }
  return shown;
}

/** Those on which clients throw. */
export const unknownNames = ({ credentials, networks }: ShownNames): string[] => [
  ...credentials.filter((name) => !NAMESPACES.has(name)),
  ...networks.filter((name) => !CLIENT_NAMES.has(name)),
];
