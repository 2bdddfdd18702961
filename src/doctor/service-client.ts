import { bareHost, EgressPolicy, GuardedDispatcher, OutboundHttp } from '../outbound/index.js';
import type { HealthAnswer } from './checks/public-url.js';
import { causeOf } from './finding.js';

const LOOPBACK = 'localhost, 127.0.0.0/8, ::1';
const TIMEOUT_MS = 4_000;
const MAX_FIGURES = 2 * 1024 * 1024;

/** A client for the service with this configuration, on this machine and at its public URL. */
export class ServiceClient {
  private readonly http: OutboundHttp;

  constructor(private readonly publicUrl: string) {
    const allowed = `${LOOPBACK}, ${bareHost(new URL(publicUrl).hostname)}`;
    const policy = new EgressPolicy(allowed, { allowHttp: true, allowIpLiterals: true });
    this.http = new OutboundHttp(policy, new GuardedDispatcher(policy));
  }

  /** The response of a health endpoint, or why there was none. */
  async health(url: string): Promise<HealthAnswer | string> {
    const answer = await this.get(url);
    if (typeof answer === 'string') return answer;
    const body = answer.body as { status?: unknown; host?: unknown } | null;
    const isOurs = body?.status === 'ok' && typeof body.host === 'string';
    return { status: answer.status, host: isOurs ? String(body.host) : null };
  }

  /** The signing keys of an environment (RFC 7517 section 5), or why they could not be read. */
  async signingKeys(environmentId: string): Promise<readonly unknown[] | string> {
    const answer = await this.get(`${this.publicUrl}/api/v0/sdk/${environmentId}/.well-known/jwks`);
    if (typeof answer === 'string') return answer;
    if (answer.status !== 200) return `status ${answer.status}`;
    const keys = (answer.body as { keys?: unknown } | null)?.keys;
    return Array.isArray(keys) ? keys : 'not a key set';
  }

  /** The metrics of a service on this machine; empty if it does not respond. */
  async figures(place: string): Promise<string> {
    const request = { method: 'GET' as const, url: `http://${place}/metrics`, timeoutMs: TIMEOUT_MS };
    const answer = await this.http.send({ ...request, maxResponseBytes: MAX_FIGURES }).catch(() => null);
    return answer?.status === 200 ? answer.body.toString() : '';
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async get(url: string): Promise<{ status: number; body: unknown } | string> {
    try {
      const { status, body } = await this.http.send({ method: 'GET', url, timeoutMs: TIMEOUT_MS });
      return { status, body: parse(body) };
    } catch (error) {
      return causeOf(error);
    }
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
