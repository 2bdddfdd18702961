import { OutboundError, type OutboundErrorKind, type OutboundHttp, type OutboundResult } from '../../outbound/index.js';
import { foreignText } from '../foreign-text.js';
import { ChainUnreadableError, type UnreadableReason } from './chain-unreadable.error.js';

export const MAX_RESPONSE_BYTES = 256 * 1024;

export interface RpcQuestion {
  method: string;
  params: readonly unknown[];
}

export interface RpcFault {
  code: number;
  message: string;
  data?: unknown;
}

/** JSON-RPC 2.0 section 5: a response has exactly one of the two members. */
export type RpcReply = { result: unknown; error?: never } | { result?: never; error: RpcFault };

const REASONS: Record<OutboundErrorKind, UnreadableReason> = {
  timeout: 'timeout',
  dns: 'unreachable',
  tls: 'unreachable',
  refused: 'unreachable',
  blocked: 'unreachable',
  protocol: 'garbage',
};

/** Rate limit codes of nodes: EIP-1474 (-32005), and the HTTP status as a code. */
const LIMIT_CODES = new Set([-32005, -32029, 429]);

/**
 * Errors about the node or its caller, not about the question: those of JSON-RPC 2.0 section 5.1 except invalid
 * parameters, a block or resource that the node does not have, and HTTP statuses as codes.
 */
const OF_NODE = new Set([-32700, -32600, -32601, -32603, -32001, -32004, 401, 403, 404, 500, 502, 503]);

export const isOfNode = (code: number): boolean => OF_NODE.has(code);

/**
 * One request to one node; several questions are sent as a batch (JSON-RPC 2.0 section 6). Replies are in the order of
 * the questions, matched by id.
 *
 * @throws ChainUnreadableError if the node gave no such answer
 */
export async function askNode(
  http: OutboundHttp,
  url: string,
  questions: readonly RpcQuestion[],
  timeoutMs: number,
): Promise<RpcReply[]> {
  const calls = questions.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const request = {
    method: 'POST' as const,
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
    timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  };
  const answer = await http.send(request).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    // The cause may contain the URL, so it is dropped.
    throw new ChainUnreadableError(REASONS[error.kind], `the node did not answer: ${error.kind}`);
  });
  assertUsable(answer);
  const replies = repliesOf(parsed(answer.body), calls.length);
  if (replies.some(({ error }) => error && LIMIT_CODES.has(error.code))) {
    throw new ChainUnreadableError('rate_limited', 'the node limits the rate of requests');
  }
  return replies;
}

function assertUsable({ status, truncated }: OutboundResult): void {
  if (status === 429) throw new ChainUnreadableError('rate_limited', 'the node limits the rate of requests');
  if (truncated) {
    throw new ChainUnreadableError('oversize', `the answer of the node is longer than ${MAX_RESPONSE_BYTES} bytes`);
  }
  // Some nodes send JSON-RPC errors with a status of 400 or 500; any other body fails below.
  if (status >= 300 && status < 400) throw new ChainUnreadableError('garbage', `the node answered ${status}`);
}

/** Integers beyond 2^53, possible for large lamport balances, become a bigint: a number would lose digits. */
const exact = (_name: string, value: unknown, context?: { source?: string }): unknown => {
  const { source = '' } = context ?? {};
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d{16,40}$/.test(source)
    ? BigInt(source)
    : value;
};

function parsed(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return /\d{16}/.test(text) ? (JSON.parse(text, exact) as unknown) : JSON.parse(text);
  } catch {
    throw new ChainUnreadableError('garbage', 'the answer of the node is not JSON');
  }
}

function repliesOf(body: unknown, count: number): RpcReply[] {
  const list = Array.isArray(body) ? (body as unknown[]) : [body];
  const byId = new Map(list.filter(isObject).map((reply) => [reply['id'], reply]));
  return Array.from({ length: count }, (_, id) => replyOf(byId.get(id)));
}

function replyOf(reply: Record<string, unknown> | undefined): RpcReply {
  const fault = reply?.['error'];
  if (isObject(fault) && typeof fault['code'] === 'number') {
    return { error: { code: fault['code'], message: textOf(fault['message']), data: fault['data'] } };
  }
  if (!reply || (fault !== undefined && fault !== null) || reply['result'] === undefined) {
    throw new ChainUnreadableError('garbage', 'the answer of the node is not a response to what was asked');
  }
  return { result: reply['result'] };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? foreignText(value, 200) : '');
