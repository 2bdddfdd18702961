import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { billingSignatureRefused } from '../src/billing/billing.errors.js';
import { SECURITY_EVENTS, SecurityEvent, securityEventOf } from '../src/common/security/index.js';
import { ambiguousIdentifier } from '../src/identity/credentials/identifier.errors.js';
import { OAUTH_TOKEN_READ } from '../src/identity/methods/oauth/tokens/oauth-token.events.js';
import { frameCustodyRefused } from '../src/identity/methods/frameapp/frame.errors.js';
import { passkeyNotFound } from '../src/identity/methods/passkey/passkey.errors.js';
import { wrongSignInLink } from '../src/identity/methods/sign-in-link/sign-in-link.errors.js';
import { telegramLoginInvalid, telegramLoginUsed } from '../src/identity/methods/telegram/telegram.errors.js';
import { notConfirmed, ssoAddressRefused } from '../src/providers/social/social.errors.js';
import { WALLET_SECRET_RELEASED } from '../src/waas/secrets/wallet-secret.events.js';
import { WALLET_KEY_RELEASED } from '../src/waas/waas.events.js';
import { WALLET_EXPORTED } from '../src/wallets/record/wallet.events.js';
import { WEBHOOK_SECRET_REVEALED } from '../src/webhooks/webhook.events.js';
import { invalidNameProof } from '../src/wallets/name-service/name-service.errors.js';
import { signedRequestRefused } from '../src/wallets/record/wallet.errors.js';
import { findSection, withSections } from './support/readme/generated-sections.js';
import { securityEventsTable } from './support/readme/security-events.js';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security-log.md'), 'utf8');

/** Events that no source tells. */
function untold(sources: readonly string[]): string[] {
  const told = new Set(sources.flatMap((text) => text.match(/\bSecurityEvent\.\w+/g) ?? []));
  return Object.keys(SecurityEvent).filter((name) => !told.has(`SecurityEvent.${name}`));
}

describe('the page about the security log', () => {
  it('lists exactly the events of the enum', () => {
    expect(Object.keys(SECURITY_EVENTS).sort()).toEqual(Object.values(SecurityEvent).sort());
    expect(findSection(page, 'security-events')).toBe(securityEventsTable());
    const stale = withSections(page, { 'security-events': securityEventsTable().replace('code.failed', 'code.wrong') });
    expect(findSection(stale, 'security-events')).not.toBe(securityEventsTable());
  });

  it('makes its alarms of events that there are', () => {
    const named = [...page.matchAll(/event="([^"]+)"/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(4);
    expect([...named, 'code.wrong'].filter((name) => !Object.hasOwn(SECURITY_EVENTS, name))).toEqual(['code.wrong']);
  });
});

const sources = (): string[] =>
  globSync('src/**/*.ts', { cwd: root, exclude: ['src/common/security/**', 'src/**/*.spec.ts'] }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );

/** Codes of errors that stop somebody who has done something too often, and that the log does not tell. */
const unloggedLimits = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.match(/defineError\(\{[^]*?\n\}\)/g) ?? [])
    .filter((error) => /status: 429|retryAfterSeconds|code: '\w+_locked'/.test(error))
    .filter((error) => !error.includes('security: SecurityEvent.'))
    .map((error) => /code: '(\w+)'/.exec(error)?.[1] ?? error);

describe('a limit or a lock', () => {
  it('is told to the security log, whichever it is', () => {
    expect(unloggedLimits(sources())).toEqual([]);
    const silenced = sources().map((text) => text.replace(/ {2}security: SecurityEvent\.SignInLocked,\n/, ''));
    expect(unloggedLimits(silenced)).toContain('too_many_wrong_codes');
    const quiet = sources().map((text) => text.replaceAll('  security: SecurityEvent.RateLimited,\n', ''));
    expect(unloggedLimits(quiet)).toEqual(
      expect.arrayContaining(['ceremonies_locked', 'too_many_recoveries', 'too_many_secret_reads']),
    );
  });
});

describe('what proves nothing, and is refused for it', () => {
  it.each([
    ['a message in the name of the payment provider', billingSignatureRefused, 'proof.refused'],
    [
      'a request for wallets that no key of the session has signed, or that comes again',
      signedRequestRefused,
      'proof.refused',
    ],
    ['a signature for the domain of names', invalidNameProof, 'proof.refused'],
    ['a signature by another address than that of the account', frameCustodyRefused, 'proof.refused'],
    ['an address of which the provider may not speak', ssoAddressRefused, 'proof.refused'],
    ['an answer of a provider that is not to be believed', () => notConfirmed('id_token'), 'proof.refused'],
    ['an answer of a provider that names no account', () => notConfirmed('profile'), 'proof.refused'],
    ['a code that its provider does not know', () => notConfirmed('refused'), 'proof.refused'],
    ['a login that the messaging network has not signed', telegramLoginInvalid, 'proof.refused'],
    ['a login of the messaging network that comes again', telegramLoginUsed, 'proof.refused'],
    ['a passkey that nobody has', passkeyNotFound, 'proof.refused'],
    ['an identifier of several users', ambiguousIdentifier, 'identifier.ambiguous'],
    ['a link to sign in with that nobody made, or that was used', wrongSignInLink, 'code.failed'],
  ])('is told to the security log: %s', (_what, refused, event) => {
    expect(securityEventOf(refused())).toBe(event);
  });

  it('is not told of a provider that cannot be reached', () => {
    expect(securityEventOf(notConfirmed('unreachable'))).toBeNull();
  });
});

describe('what is kept sealed, and was given to somebody', () => {
  it.each([WEBHOOK_SECRET_REVEALED, OAUTH_TOKEN_READ, WALLET_SECRET_RELEASED, WALLET_KEY_RELEASED, WALLET_EXPORTED])(
    'is told to the security log: $name',
    ({ security }) => {
      expect(security).toBe('secret.revealed');
    },
  );
});

describe('an event of the security log', () => {
  it('is told by some place of the service', () => {
    expect(untold(sources())).toEqual([]);
    const silenced = sources().map((text) =>
      text.replaceAll('SecurityEvent.TokenReused', 'SecurityEvent.TokenRefused'),
    );
    expect(untold(silenced)).toEqual(['TokenReused']);
  });
});
