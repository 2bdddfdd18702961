import { Injectable } from '@nestjs/common';
import { OidcError } from '../../oidc/index.js';
import { OutboundHttp } from '../../outbound/index.js';
import type { EnabledProvider } from '../settings/enabled-providers.js';
import { SocialAddresses } from './social-addresses.js';
import { failedAt } from './social.errors.js';
import {
  identityOf,
  INVALID_RESPONSE,
  type SocialBegin,
  type SocialFinish,
  type SocialIdentity,
} from './social-identity.js';
import { list, object, text, type OpenId2Vendor, type VendorPerson } from './social-vendor.js';

const NAMESPACE = 'http://specs.openid.net/auth/2.0';
const PREFIX = 'openid.';
const ANY_IDENTIFIER = `${NAMESPACE}/identifier_select`;
/** Fields that must be signed (OpenID Authentication 2.0 section 10.1). */
const SIGNED = ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle'];
/** Names that every server reads alike: some take `claimed.id` or `claimed id` for `claimed_id` as well. */
const PLAIN_NAME = /^openid\.[a-z_]+$/;
const CLAIMED_ID = /^https:\/\/steamcommunity\.com\/openid\/id\/(\d{1,20})$/;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_ANSWER = 8_192;
const UNTOLD: Partial<VendorPerson> = { untold: ['displayName', 'photo'] };

/** The only OpenID 2.0 provider. It verifies its own responses, as nobody else can check their signatures. */
@Injectable()
export class OpenId2Accounts {
  constructor(
    private readonly http: OutboundHttp,
    private readonly addresses: SocialAddresses,
  ) {}

  begin(vendor: OpenId2Vendor, { redirectUri, state }: SocialBegin): string {
    const url = new URL(this.addresses.of(vendor, {}).authorize);
    const returnTo = new URL(redirectUri);
    // The protocol has no state parameter: it is part of the return URL, which the provider signs.
    returnTo.searchParams.set('state', state);
    const parameters = {
      'openid.ns': NAMESPACE,
      'openid.mode': 'checkid_setup',
      'openid.return_to': returnTo.href,
      'openid.realm': new URL(redirectUri).origin,
      'openid.identity': ANY_IDENTIFIER,
      'openid.claimed_id': ANY_IDENTIFIER,
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  finish(vendor: OpenId2Vendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    return this.prove(vendor, record, answer).catch(failedAt(vendor.type.name));
  }

  private async prove(vendor: OpenId2Vendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    const { authorize, profile } = this.addresses.of(vendor, {});
    const subject = claimedIn(answer, authorize);
    const form = new URLSearchParams(answer.code);
    for (const name of [...form.keys()]) if (!name.startsWith(PREFIX)) form.delete(name);
    form.set('openid.mode', 'check_authentication');
    const { status, body } = await this.http.send({
      method: 'POST',
      url: authorize,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    // Key-value form (section 4.1.1): one pair per line.
    if (status !== 200 || !body.toString('utf8').split('\n').includes('is_valid:true')) {
      throw new OidcError('refused', 'the provider does not know its answer');
    }
    return identityOf({ subject, ...(await this.namesOf(subject, profile, record)) }, null);
  }

  /** Names are optional: nothing is told of them without an API key, or while the API is unavailable. */
  private namesOf(subject: string, profile: string, record: EnabledProvider): Promise<Partial<VendorPerson>> {
    return record.withSecret<Partial<VendorPerson>>(async (key) => {
      if (key === '') return UNTOLD;
      const url = new URL(profile);
      url.searchParams.set('key', key);
      url.searchParams.set('steamids', subject);
      const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES };
      const answer = await this.http.send({ method: 'GET', url: url.href, ...limits }).catch(() => null);
      if (answer?.status !== 200) return UNTOLD;
      const [player] = list(object(object(parsed(answer.body))['response'])['players']);
      if (!player) return UNTOLD;
      return { displayName: text(player['personaname']), photo: text(player['avatarfull']) };
    });
  }
}

/** The account in a response, provided that it belongs to this attempt (sections 10.1 and 11). */
function claimedIn({ code, redirectUri, state }: SocialFinish, endpoint: string): string {
  const refused = (why: string): Error => new OidcError('id_token', why);
  if (code.length > MAX_ANSWER) throw refused('the answer is too long');
  const answer = new URLSearchParams(code);
  const names = [...answer.keys()].filter((name) => name.startsWith(PREFIX));
  if (!names.every((name) => PLAIN_NAME.test(name))) throw refused('the provider could read a name in two ways');
  const field = (name: string): string => {
    const values = answer.getAll(`openid.${name}`);
    if (values.length !== 1) throw refused(`${name} is missing or there twice`);
    return values[0]!;
  };
  if (field('ns') !== NAMESPACE || field('mode') !== 'id_res') throw refused('it is no positive assertion');
  if (field('op_endpoint') !== endpoint) throw refused('another provider wrote it');
  const returnTo = URL.parse(field('return_to'));
  if (
    !returnTo ||
    returnTo.origin + returnTo.pathname !== new URL(redirectUri).origin + new URL(redirectUri).pathname
  ) {
    throw refused('it was meant for another address');
  }
  if (returnTo.searchParams.get('state') !== state) throw refused('it was meant for another attempt');
  const signed = field('signed').split(',');
  if (!SIGNED.every((name) => signed.includes(name))) throw refused('a field is not signed');
  const claimed = CLAIMED_ID.exec(field('claimed_id'))?.[1];
  if (claimed === undefined || field('identity') !== field('claimed_id')) throw refused('it names no account');
  return claimed;
}

/**
 * The error code of a response that names no account; null for one that may. The protocol has a mode for each refusal
 * (sections 5.2.3 and 10.2) in place of the error codes of OAuth.
 */
export function refusalIn(response: string): string | null {
  const mode = new URLSearchParams(response).get('openid.mode');
  if (mode === 'id_res') return null;
  return mode === 'cancel' ? 'access_denied' : INVALID_RESPONSE;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
