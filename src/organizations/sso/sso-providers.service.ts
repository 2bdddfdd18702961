import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OrganizationId, Role } from '../../auth/index.js';
import { forbidden, notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, duplicateExists, type Work } from '../../database/index.js';
import {
  configurationUrlOf,
  DiscoveryError,
  OidcDiscovery,
  type DiscoveredProvider,
  type DiscoveryReason,
} from '../../oidc/index.js';
import type { Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { HeldRoles } from '../members/held-roles.js';
import { ClientSecrets } from './client-secrets.js';
import { emailDomainOf, issuerOf } from './issuer.js';
import type { SsoProvider, SsoProviderCreateRequest, SsoProviderUpdateRequest } from './sso-provider.dto.js';
import type { SsoProviderRow } from './sso-provider.entity.js';
import { invalidSsoProvider, singleSignOnNotEnforced, ssoDiscoveryFailed } from './sso-provider.errors.js';
import { SSO_PROVIDER_CREATED, SSO_PROVIDER_DELETED, SSO_PROVIDER_UPDATED } from './sso-provider.events.js';
import { audited, described, shown } from './sso-provider.view.js';
import { SsoProvidersRepository } from './sso-providers.repository.js';

/** Makes the record of another organization impossible to guess. */
const CHALLENGE_BYTES = 24;

/** A new domain must be proven again; everything that depends on the old proof is reset. */
const UNPROVEN = { domainProvenAt: null, domainCheckedAt: null, domainProblem: null, enforceOnlySso: false };

type Settings = Pick<
  SsoProviderRow,
  'provider' | 'clientId' | 'ssoDomain' | 'issuer' | 'emailDomain' | 'enforceOnlySso'
>;

/**
 * The single sign-on setup of an organization. Providers are contacted before anything is locked or written, and may take
 * their time: the caller's role is read again afterwards.
 */
@Injectable()
export class SsoProvidersService {
  constructor(
    private readonly providers: SsoProvidersRepository,
    private readonly discovery: OidcDiscovery,
    private readonly secrets: ClientSecrets,
    private readonly roles: HeldRoles,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async get(organizationId: OrganizationId): Promise<SsoProvider> {
    const row = await this.providers.find(organizationId, {});
    if (!row) throw notFound();
    return shown(row);
  }

  /** @throws invalidSsoProvider, ssoDiscoveryFailed, duplicateExists, roleWithdrawn */
  async create(
    organizationId: OrganizationId,
    request: SsoProviderCreateRequest,
    actor: Actor,
    work: Work,
  ): Promise<SsoProvider> {
    if (await this.providers.find(organizationId, {})) throw setUpAlready();
    const settings = await this.checked(request);
    const id = newId();
    const sealed = await this.secrets.seal(request.clientSecret, { organizationId, id });
    return work.run(async (tx) => {
      await this.roles.hold(organizationId, actor, 'admin', tx);
      const domainChallenge = randomBytes(CHALLENGE_BYTES).toString('hex');
      const made = { id, ...settings, ...sealed, domainChallenge };
      const row = await this.providers.insertIfAbsent(organizationId, made, tx);
      if (!row) throw setUpAlready();
      const change = { event: SSO_PROVIDER_CREATED, resource: resourceOf(id), before: null, after: audited(row) };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
      return shown(row);
    });
  }

  /** @throws notFound, invalidSsoProvider, singleSignOnNotEnforced, ssoDiscoveryFailed, roleWithdrawn, forbidden */
  async update(
    organizationId: OrganizationId,
    id: string,
    request: SsoProviderUpdateRequest,
    actor: Actor,
  ): Promise<SsoProvider> {
    const known = await this.providers.find(organizationId, { id });
    if (!known) throw notFound();
    const settings = await this.checked(request);
    const { clientSecret } = request;
    assertSecretStays(known, settings, clientSecret);
    assertEnforceable(known, settings);
    const sealed = clientSecret === undefined ? {} : await this.secrets.seal(clientSecret, { organizationId, id });
    return this.work.run(async (tx) => {
      const role = await this.roles.hold(organizationId, actor, 'admin', tx);
      const before = await this.providers.lock(organizationId, { id }, tx);
      if (!before) throw notFound();
      assertMayRepoint(role, before, settings);
      assertSecretStays(before, settings, clientSecret);
      assertEnforceable(before, settings);
      const proof = claimsAnother(before, settings) ? UNPROVEN : {};
      const [row] = await this.providers.update(organizationId, { id }, { ...settings, ...sealed, ...proof }, tx);
      const states = { before: audited(before), after: audited(row!) };
      const change = { event: SSO_PROVIDER_UPDATED, resource: resourceOf(id), ...states };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
      return shown(row!);
    });
  }

  async delete(organizationId: OrganizationId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      await this.roles.hold(organizationId, actor, 'admin', tx);
      const row = await this.providers.lock(organizationId, { id }, tx);
      if (!row) throw notFound();
      await this.providers.delete(organizationId, { id }, tx);
      const states = { before: audited(row), after: null, data: described(row) };
      const change = { event: SSO_PROVIDER_DELETED, resource: resourceOf(id), ...states };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    });
  }

  /** The given fields, normalised for storage; contacts the provider when its domain is among them. */
  private async checked(request: SsoProviderUpdateRequest): Promise<Partial<Settings>> {
    const { clientId, clientSecret, ssoDomain, emailDomain, provider, enforceOnlySSO } = request;
    for (const [field, value] of Object.entries({ clientId, clientSecret }))
      if (value !== undefined && !isCredential(value)) throw invalidSsoProvider({ payload: { field } });
    const domain = emailDomain === undefined ? undefined : emailDomainOf(emailDomain);
    if (domain === null) throw invalidSsoProvider({ payload: { field: 'emailDomain' } });
    const issuer = ssoDomain === undefined ? undefined : issuerOf(ssoDomain);
    if (issuer === null) throw invalidSsoProvider({ payload: { field: 'ssoDomain' } });
    if (issuer !== undefined) await this.discovery.discover(issuer).then(assertServes).catch(refused);
    return { clientId, ssoDomain, issuer, emailDomain: domain, provider, enforceOnlySso: enforceOnlySSO };
  }
}

/** RFC 6749 appendices A.1 and A.2. A copied line break would fail every sign-in, and nothing would say why. */
const isCredential = (text: string): boolean => /^[\x20-\x7E]+$/.test(text) && text.trim() !== '';

/** A secret was issued by one provider and must not be sent to another. @throws invalidSsoProvider */
function assertSecretStays(before: Pick<Settings, 'issuer'>, { issuer }: Partial<Settings>, secret?: string): void {
  if (secret !== undefined || issuer === undefined || issuer === before.issuer) return;
  throw invalidSsoProvider({ payload: { field: 'clientSecret' }, hint: SECRET_AGAIN });
}

/**
 * The record in the DNS was set for one provider. One that somebody else runs could sign in as anyone of the domain, also
 * as an owner, and a record that stays would prove the domain for it. Null is the role of whoever is no member.
 *
 * @throws forbidden
 */
function assertMayRepoint(role: Role | null, before: Pick<Settings, 'issuer'>, { issuer }: Partial<Settings>): void {
  if (issuer === undefined || issuer === before.issuer || role === null || role === 'owner') return;
  throw forbidden({ hint: OWNERS_REPOINT });
}

/** Whether the update claims a different email domain from the one that may have been proven. */
const claimsAnother = (before: Pick<Settings, 'emailDomain'>, { emailDomain }: Partial<Settings>): boolean =>
  emailDomain !== undefined && emailDomain !== before.emailDomain;

/** Nobody can be required to use a provider that is not open for sign-in. @throws singleSignOnNotEnforced */
function assertEnforceable(
  before: Pick<SsoProviderRow, 'emailDomain' | 'domainProvenAt'>,
  settings: Partial<Settings>,
): void {
  if (!settings.enforceOnlySso || (before.domainProvenAt && !claimsAnother(before, settings))) return;
  throw singleSignOnNotEnforced({ payload: { field: 'enforceOnlySSO' } });
}

const SECRET_AGAIN = 'The secret was given for another provider: send clientSecret together with ssoDomain.';

const OWNERS_REPOINT =
  'Only an owner points a setup at another provider. Or delete it and create another one, whose domain is proven anew.';

const setUpAlready = (): Error =>
  duplicateExists({
    message: 'Single sign-on is set up already.',
    hint: 'Change the setup that there is, or delete it first.',
  });

/** What every sign-in would fail for: requests are not pushed, and a secret is the only credential. @throws DiscoveryError */
function assertServes({ issuer, secretMethods, requiresPushedRequests }: DiscoveredProvider): void {
  const fail = (reason: DiscoveryReason, hint: string): Error =>
    new DiscoveryError(reason, configurationUrlOf(issuer), hint);
  if (requiresPushedRequests)
    throw fail('pushed_requests', 'The provider must accept authorization requests that are not pushed.');
  if (secretMethods?.length === 0)
    throw fail('client_authentication', 'The token endpoint must accept client_secret_basic or client_secret_post.');
}

function refused(error: unknown): never {
  if (!(error instanceof DiscoveryError)) throw error;
  const { reason, url, hint } = error;
  throw ssoDiscoveryFailed({ payload: { reason, url }, ...(hint && { hint }) });
}

const resourceOf = (id: string) => ({ type: 'ssoProvider', id });
