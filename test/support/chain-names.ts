/** The names that clients know: for a credential's chain, and for a chain with its networks. */
const NAMESPACES: ReadonlySet<string> = new Set([
  ...['eip155', 'solana', 'bip122', 'sui', 'cosmos', 'flow', 'starknet', 'algorand', 'aptos', 'ton', 'tron'],
  ...['eclipse', 'spark'],
]);
const CLIENT_NAMES: ReadonlySet<string> = new Set([
  ...['evm', 'solana', 'bitcoin', 'sui', 'cosmos', 'flow', 'starknet', 'algo', 'aptos', 'ton', 'tron'],
  ...['eclipse', 'spark'],
]);

export interface ShownNames {
  /** Chain names of credentials. */
  credentials: string[];
  /** Names of chains with networks. */
  networks: string[];
}

/** Every chain name in a response that clients read as a credential or as a chain with its networks. */
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

/** Names on which clients throw. */
export const unknownNames = ({ credentials, networks }: ShownNames): string[] => [
  ...credentials.filter((name) => !NAMESPACES.has(name)),
  ...networks.filter((name) => !CLIENT_NAMES.has(name)),
];
