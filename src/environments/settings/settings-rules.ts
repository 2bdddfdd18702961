import { egressEvent, type EgressPolicy } from '../../outbound/index.js';
import type { FieldProblem } from './settings-validation.js';
import { captchaVendorOf } from './captcha-vendors.js';
import type { CaptchaSettings, ExternalAuthSettings, ProjectSettings } from './settings.types.js';

const EXTERNAL_AUTH = 'security.externalAuth';
/** Without any of these, a token from any issuer or for any audience would be accepted. */
const NEEDED = ['iss', 'aud', 'jwksUrl'] as const;
/** Support page links: schemes that a browser opens without executing anything. */
const LINK = /^(https?:\/\/|mailto:|tel:)/i;

/** Rules that the schema cannot express. */
export function problemsBeyondSchema({ security, general }: ProjectSettings, policy: EgressPolicy): FieldProblem[] {
  const links = Object.entries(general.supportUrls ?? {})
    .filter(([, url]) => !LINK.test(url))
    .map(([name]) => ({
      path: `general.supportUrls.${name}`,
      message: 'must begin with https://, http://, mailto: or tel:',
    }));
  const { captcha = {} } = security;
  return [
    ...links,
    ...captchaProblems(captcha),
    ...(security.externalAuth ? externalAuthProblems(security.externalAuth, policy) : []),
  ];
}

/** Without a site key, a proof of work is required; with one, its vendor must be known for any verification. */
function captchaProblems({ enabled, siteKey }: CaptchaSettings): FieldProblem[] {
  if (!enabled || !siteKey || captchaVendorOf(siteKey)) return [];
  const message = 'must be a site key of hCaptcha, Turnstile or reCAPTCHA, or empty for a proof of work';
  return [{ path: 'security.captcha.siteKey', message }];
}

function externalAuthProblems(settings: ExternalAuthSettings, policy: EgressPolicy): FieldProblem[] {
  const missing = settings.enabled ? NEEDED.filter((name) => !settings[name]) : [];
  const problems = missing.map((name) => ({
    path: `${EXTERNAL_AUTH}.${name}`,
    message: 'is required while external authentication is on',
  }));
  if (!settings.jwksUrl) return problems;
  const verdict = policy.checkUrl(settings.jwksUrl);
  if (verdict.allowed) return problems;
  const { message, reason } = verdict;
  return [...problems, { path: `${EXTERNAL_AUTH}.jwksUrl`, message, ...egressEvent(reason) }];
}
