import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DiscoveryError, OidcDiscovery } from '../../oidc/index.js';
import { PeopleDirectory, type Actor } from '../../organizations/index.js';
import { vendorOf } from '../social/catalogue.js';
import { SocialAddresses } from '../social/social-addresses.js';
import type { ProviderAgreement } from './provider.dto.js';
import type { ProviderRow } from './provider.entity.js';
import { invalidProvider } from './provider.errors.js';
import type { FieldFault } from './provider-rules.js';

/** Checks that need more than the record. */
@Injectable()
export class ProviderCheck {
  constructor(
    private readonly discovery: OidcDiscovery,
    private readonly addresses: SocialAddresses,
    private readonly people: PeopleDirectory,
    private readonly clock: Clock,
  ) {}

  /** Problems with a vendor's discovery document, once its address is known. */
  async faultsOf({ provider, configuration }: ProviderRow): Promise<FieldFault[]> {
    const vendor = vendorOf(provider);
    const issuer = vendor?.protocol === 'oidc' ? this.addresses.issuerToDiscover(vendor, configuration) : null;
    if (!issuer) return [];
    try {
      await this.discovery.discover(issuer);
      return [];
    } catch (error) {
      if (!(error instanceof DiscoveryError)) throw error;
      const { reason, url, hint } = error;
      return [{ field: configuration.domain ? 'domain' : 'provider', reason: `${url}: ${hint ?? reason}` }];
    }
  }

  /** Only a person can accept terms of service. @throws invalidProvider */
  async agreementOf(termsUrl: string, actor: Actor): Promise<ProviderAgreement> {
    const refused = (reason: string) => invalidProvider({ payload: { fields: [{ field: 'termsUrl', reason }] } });
    const url = URL.parse(termsUrl);
    if (url?.protocol !== 'https:' || termsUrl.length > 255) throw refused('must be an https address');
    if (actor.kind !== 'dashboardUser') throw refused('only a signed-in member can accept terms');
    const person = (await this.people.findPeople([actor.userId])).get(actor.userId);
    if (!person?.email) throw refused('the member has no email address');
    return { termsUrl, email: person.email, userId: actor.userId, createdAt: this.clock.now() };
  }
}
