import { Injectable, Logger } from '@nestjs/common';
import type { CaptchaVendor } from '../../environments/index.js';
import { VendorFigures } from '../../observability/index.js';
import { OutboundError, OutboundHttp, tenantFailure } from '../../outbound/index.js';
import { ProviderAddresses } from '../settings/provider-addresses.js';

/** A captcha response from a page, and what is needed to verify it. */
export interface CaptchaClaim {
  siteKey: string;
  secret: string;
  token: string;
  ipAddress: string | null;
}

/** Whether the captcha was solved; `unavailable` when the vendor could not be asked. */
export type CaptchaVerdict = 'passed' | 'refused' | 'unavailable';

/** Whether a score is one of a human visitor. */
type ReadScore = (score: number) => boolean;

/** https://docs.hcaptcha.com/#verify-the-user-response-server-side and the corresponding pages of the other vendors. */
const VENDORS: Readonly<Record<CaptchaVendor, { api: string; path: string }>> = {
  hcaptcha: { api: 'https://api.hcaptcha.com', path: '/siteverify' },
  turnstile: { api: 'https://challenges.cloudflare.com', path: '/turnstile/v0/siteverify' },
  recaptcha: { api: 'https://www.google.com', path: '/recaptcha/api/siteverify' },
};

/** Vendor error codes for faults on our side or theirs, not the visitor's. */
const NOT_THE_VISITOR = /secret|sitekey|remoteip|bad-request|internal-error/;
/**
 * reCAPTCHA v3 scores the likelihood of a human visitor, and its documentation suggests this threshold. hCaptcha
 * Enterprise scores the risk of a malicious one. Turnstile has no score.
 */
const SCORES: Readonly<Partial<Record<CaptchaVendor, ReadScore>>> = {
  recaptcha: (score) => score >= 0.5,
  hcaptcha: (score) => score <= 0.5,
};
const MAX_TOKEN = 8_192;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024;

/** Verifies captcha responses with the vendors. */
@Injectable()
export class CaptchaVendors {
  private readonly log = new Logger('Captcha');

  constructor(
    private readonly http: OutboundHttp,
    private readonly addresses: ProviderAddresses,
    private readonly figures: VendorFigures,
  ) {}

  async verdict(vendor: CaptchaVendor, claim: CaptchaClaim): Promise<CaptchaVerdict> {
    if (claim.token === '' || claim.token.length > MAX_TOKEN) return 'refused';
    const verdict = await this.ask(vendor, claim);
    if (verdict === 'unavailable') this.figures.failed(vendor);
    else this.figures.answered(vendor);
    return verdict;
  }

  private async ask(
    vendor: CaptchaVendor,
    { siteKey, secret, token, ipAddress }: CaptchaClaim,
  ): Promise<CaptchaVerdict> {
    const { api, path } = { ...VENDORS[vendor], ...this.addresses.of(vendor) };
    const body = new URLSearchParams({
      secret,
      response: token,
      ...(vendor === 'hcaptcha' && { sitekey: siteKey }),
      ...(ipAddress !== null && { remoteip: ipAddress }),
    });
    try {
      const answer = await this.http.send({
        method: 'POST',
        url: new URL(path, api).href,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: body.toString(),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      });
      const verdict =
        answer.status === 200 && !answer.truncated ? readVerdict(answer.body, SCORES[vendor]) : 'unavailable';
      if (verdict === 'unavailable') this.log.warn(`${vendor} could not check a captcha: status ${answer.status}`);
      return verdict;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      this.log.warn(`${vendor} could not check a captcha: ${tenantFailure(error.kind)}`);
      return 'unavailable';
    }
  }
}

/** Anything but a clear yes or no in the vendors' documented format counts as no verdict. */
function readVerdict(bytes: Buffer, isHuman: ReadScore | undefined): CaptchaVerdict {
  const answer = parsed(bytes);
  if (answer?.success === true) {
    const { score } = answer;
    if (!isHuman || score === undefined) return 'passed';
    return typeof score === 'number' && isHuman(score) ? 'passed' : 'refused';
  }
  if (answer?.success !== false) return 'unavailable';
  const codes: unknown[] = Array.isArray(answer['error-codes']) ? answer['error-codes'] : [];
  return codes.some((code) => typeof code === 'string' && NOT_THE_VISITOR.test(code)) ? 'unavailable' : 'refused';
}

interface VendorAnswer {
  success?: unknown;
  score?: unknown;
  'error-codes'?: unknown;
}

function parsed(bytes: Buffer): VendorAnswer | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
