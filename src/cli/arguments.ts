/** A mistake by the caller of a command; the message is all the operator needs. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads `--name value` pairs. @throws UsageError for anything else and for unknown options */
export function parseOptions<const N extends string>(
  words: readonly string[],
  names: readonly N[],
): Partial<Record<N, string>> {
  const options: Partial<Record<N, string>> = {};
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at]?.replace(/^--/, '') as N;
    const value = words[at + 1];
    if (!words[at]?.startsWith('--') || !names.includes(name)) throw new UsageError(`Unknown option ${words[at]}.`);
    if (value === undefined || value.startsWith('--')) throw new UsageError(`--${name} needs a value.`);
    options[name] = value;
  }
  return options;
}

/** Separates flags, such as `--plan`, from the other words. */
export function takeFlags<const N extends string>(
  words: readonly string[],
  names: readonly N[],
): { flags: Record<N, boolean>; rest: string[] } {
  const flags = Object.fromEntries(names.map((name) => [name, words.includes(`--${name}`)])) as Record<N, boolean>;
  return { flags, rest: words.filter((word) => !names.some((name) => word === `--${name}`)) };
}

export function required(value: string | undefined, name: string): string {
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}
