import { parse } from 'yaml';

export interface ComposeService {
  image?: string;
  command?: string[];
  environment?: Record<string, string | null>;
  ports?: string[];
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address?: string } | null>;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
}

export const parseCompose = (text: string): ComposeFile => parse(text, { merge: true }) as ComposeFile;

/** `${NAME}` with its suffix: `:?` refuses to start without a value, `:-` falls back to the default that follows. */
const VARIABLE = /\$\{(\w+)([^}]*)\}/g;
const SECRET = /PASSWORD|SECRET|TOKEN|_KEY$/;
/** A user and a literal password in a URL. */
const CREDENTIALS_IN_URL = /:\/\/[^\s/:@]*:(?!\$\{)[^\s/@]+@/;

/**
 * Guessable secrets: a variable with a secret's name that may be missing at start, a literal secret, or credentials in
 * a URL. A null value passes the variable on unchanged, if it is set.
 */
export function findGuessableSecrets(file: ComposeFile): string[] {
  return Object.entries(file.services).flatMap(([service, { environment = {}, command = [] }]) => {
    const values = [...Object.entries(environment), ...command.map((word) => ['command', word] as const)];
    return values.flatMap(([name, value]) =>
      value === null ? [] : problemsOf(name, String(value)).map((problem) => `${service}.${name}: ${problem}`),
    );
  });
}

function problemsOf(name: string, value: string): string[] {
  const variables = [...value.matchAll(VARIABLE)];
  const optional = variables
    .filter(([, variable = '', rest = '']) => SECRET.test(variable) && !rest.startsWith(':?'))
    .map(([, variable]) => `${variable} may be missing`);
  const literal = SECRET.test(name) && variables.length === 0 ? ['is written out'] : [];
  return [...optional, ...literal, ...(CREDENTIALS_IN_URL.test(value) ? ['has credentials in an address'] : [])];
}
