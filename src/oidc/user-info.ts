import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../outbound/index.js';
import { OidcError } from './oidc-error.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Reads what a provider tells about the account of an access token (OpenID Connect Core 1.0 section 5.3). */
@Injectable()
export class UserInfo {
  constructor(private readonly http: OutboundHttp) {}

  /**
   * @param subject of the verified id token: an answer about anybody else must not be used (section 5.3.2)
   * @throws OidcError, OutboundError
   */
  async read(url: string, accessToken: string, subject: unknown): Promise<Record<string, unknown>> {
    const answer = await this.http.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    const claims = answer.status === 200 && !answer.truncated ? parseObject(answer.body) : null;
    if (!claims) throw new OidcError('refused', 'the provider did not show the account');
    if (claims['sub'] !== subject) throw new OidcError('id_token', 'the provider showed another account');
    return claims;
  }
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
