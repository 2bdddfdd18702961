import { invalidSignInMessage } from './message.errors.js';

/** A sign-in message signed by a wallet: EIP-4361, and the same form for chains other than Ethereum. */
export interface SignInMessage {
  /** The scheme before the domain, if present. */
  scheme: string | null;
  /** The authority (RFC 3986 §3.2) that requests the sign-in. */
  domain: string;
  /** The kind of account that signs, such as `Ethereum`. */
  account: string;
  address: string;
  statement: string | null;
  uri: string;
  version: string;
  chainId: string | null;
  nonce: string;
  issuedAt: Date;
  expirationTime: Date | null;
  notBefore: Date | null;
  requestId: string | null;
  resources: readonly string[];
}

/** Longer messages are rejected: people cannot read them either. */
export const MAX_MESSAGE_LENGTH = 4_096;
const MAX_RESOURCES = 10;

const HEADER =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?([A-Za-z0-9.:[\]-]+) wants you to sign in with your ([A-Za-z]+) account:$/;
/** RFC 3339 §5.6, with nanoseconds at most. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** The characters of a path segment (RFC 3986 §3.3). */
const REQUEST_ID = /^[\w.~!$&'()*+,;=:@%-]*$/;
/** Control and format characters, and line separators: what is signed must be what is displayed. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The fields after the statement, in EIP-4361 order; optional ones end in a question mark. */
const LABELS = [
  'URI',
  'Version',
  'Chain ID?',
  'Nonce',
  'Issued At',
  'Expiration Time?',
  'Not Before?',
  'Request ID?',
] as const;
/** AIP-116 puts the network last. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  Aptos: [...LABELS.filter((label) => label !== 'Chain ID?'), 'Chain ID?'],
};
type Label = (typeof LABELS)[number] extends infer L ? (L extends `${infer N}?` ? N : L) : never;

const malformed = (hint: string): Error => invalidSignInMessage({ hint });

/**
 * Parses a message line by line, by the grammar of EIP-4361: every line must be accounted for. The empty line of an
 * absent statement may be omitted, as in Sign-In With Solana.
 *
 * @throws ApiError 422 `invalid_sign_in_message`
 */
export function parseSignInMessage(text: string): SignInMessage {
  if (text.length > MAX_MESSAGE_LENGTH) throw malformed(`A message has at most ${MAX_MESSAGE_LENGTH} characters.`);
  const [first = '', address = '', empty, ...rest] = text.split('\n');
  if (UNSEEN.test(text.replaceAll('\n', ''))) throw malformed('The message has characters that cannot be seen.');
  const header = HEADER.exec(first);
  if (!header) throw malformed('The first line is "<domain> wants you to sign in with your <chain> account:".');
  if (!/^[A-Za-z0-9]+$/.test(address)) throw malformed('The second line is the address.');
  if (empty !== '') throw malformed('An empty line follows the address.');
  const [statement, lines] = statementOf(rest);
  const { values, remaining } = labelled(lines, ORDERS[header[3]!] ?? LABELS);
  return {
    scheme: header[1] ?? null,
    domain: header[2]!,
    account: header[3]!,
    address,
    statement,
    uri: values['URI']!,
    version: values['Version']!,
    chainId: values['Chain ID'] ?? null,
    nonce: values['Nonce']!,
    issuedAt: dateOf('Issued At', values['Issued At']!),
    expirationTime: optionalDate('Expiration Time', values),
    notBefore: optionalDate('Not Before', values),
    requestId: requestIdOf(values['Request ID']),
    resources: resourcesOf(remaining),
  };
}

/** The text between two empty lines is the statement, whatever it looks like. */
function statementOf(lines: readonly string[]): [statement: string | null, rest: readonly string[]] {
  if (lines[0] === '') return [null, lines.slice(1)];
  if (lines[1] === '') return [lines[0]!, lines.slice(2)];
  return [null, lines];
}

function labelled(
  lines: readonly string[],
  labels: readonly string[],
): { values: Partial<Record<Label, string>>; remaining: readonly string[] } {
  const values: Partial<Record<Label, string>> = {};
  let at = 0;
  for (const entry of labels) {
    const isOptional = entry.endsWith('?');
    const label = (isOptional ? entry.slice(0, -1) : entry) as Label;
    const line = lines[at] ?? '';
    if (line.startsWith(`${label}: `)) {
      values[label] = line.slice(label.length + 2);
      at += 1;
    } else if (!isOptional) {
      throw malformed(`The line "${label}: …" is not where it belongs.`);
    }
  }
  return { values, remaining: lines.slice(at) };
}

function resourcesOf(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  if (lines[0] !== 'Resources:') throw malformed('A line follows that has no place in the message.');
  const resources = lines.slice(1).map((line) => (line.startsWith('- ') ? line.slice(2) : ''));
  if (resources.length > MAX_RESOURCES) throw malformed(`A message names at most ${MAX_RESOURCES} resources.`);
  if (!resources.every((resource) => /^\S+$/.test(resource) && URL.canParse(resource)))
    throw malformed('Each resource is a line of its own: "- " and a URI.');
  return resources;
}

const optionalDate = (label: Label, values: Partial<Record<Label, string>>): Date | null =>
  values[label] === undefined ? null : dateOf(label, values[label]);

function dateOf(label: Label, text: string): Date {
  const [, year, month, day] = DATE_TIME.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // 30 February would otherwise be read as a day in March.
  const isThere = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!isThere) throw malformed(`"${label}" is a time of RFC 3339, such as 2026-01-31T12:00:00Z.`);
  return new Date(text);
}

function requestIdOf(text: string | undefined): string | null {
  if (text !== undefined && !REQUEST_ID.test(text)) throw malformed('"Request ID" has a character it may not have.');
  return text ?? null;
}
