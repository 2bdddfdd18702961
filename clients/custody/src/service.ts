/** Where the service is, and the session of the user it is called for. */
export interface Deployment {
  readonly baseUrl: string;
  readonly environmentId: string;
  /** The session token. Absent where the session is in a cookie: `send` then makes calls with credentials. */
  readonly token?: string | undefined;
}

/** The response when a call failed: that of the service, or of something in front of it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** The service's code, such as `fresh_proof_required`; null if something else answered. */
    readonly code: string | null,
    /** How long to wait before another attempt; null if the response does not say. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

interface Refusal {
  readonly error?: unknown;
  readonly code?: unknown;
}

/**
 * Calls of one user's operations: a GET, or a POST if there is a body. Each throws ServiceError for any response other
 * than a success of the service, and whatever `send` throws if there is none.
 */
export function callsTo({ baseUrl, environmentId, token }: Deployment, send: typeof fetch) {
  const base = `${baseUrl.replace(/\/+$/, '')}/api/v0/sdk/${environmentId}`;
  return async <T>(path: string, body?: object): Promise<T> => {
    const response = await send(`${base}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = parsed(await response.text());
    if (response.ok && answer) return answer as T;
    throw errorOf(response, answer ?? {});
  };
}

/** Null for anything but a JSON object: a balancer answers with a page when it reaches no instance. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function errorOf({ status, headers }: Response, { error, code }: Refusal): ServiceError {
  const message = typeof error === 'string' ? error : `The service did not answer; the response has status ${status}.`;
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return new ServiceError(message, status, typeof code === 'string' ? code : null, seconds >= 0 ? seconds : null);
}
