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

/** `${NAME}` with what follows the name: `:?` refuses to start without it, `:-` falls back to the text behind. */
const VARIABLE = /\$\{(\w+)([^}]*)\}/g;
const SECRET = /PASSWORD|SECRET|TOKEN|_KEY$/;
/** A user and a password in an address, the password not a variable. */
const CREDENTIALS_IN_URL = /:\/\/[^\s/:@]*:(?!\$\{)[^\s/@]+@/;

/**
 * Secrets a stranger could guess: a variable of a secret name that does not stop the start when it is missing, a secret
 * written out, or credentials in an address. A value of null hands the variable on as it is, or not at all.
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
