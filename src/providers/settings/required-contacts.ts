import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import {
  EnvironmentSettingsReader,
  SettingsChecks,
  SettingsNeed,
  type EnvironmentSettings,
  type FieldProblem,
} from '../../environments/index.js';
import { EMAIL_ONLY } from '../email/email-providers.js';
import type { ProviderName } from '../types/provider-names.js';
import { providerNeeded } from './provider.errors.js';
import { ProvidersRepository } from './providers.repository.js';

/** The provider that sends the codes with which a contact is verified. */
const SENDERS: Readonly<Record<string, ProviderName>> = { email: EMAIL_ONLY, phoneNumber: 'sms' };

/**
 * A contact that must be verified needs the provider that sends its codes: without it, users who lack the contact can
 * never complete their session. Both changes are refused: the one that requires the contact and the one that turns the
 * provider off. They meet at the lock on the settings, which the latter takes after that on its record.
 */
@Injectable()
export class RequiredContacts extends SettingsNeed {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly settings: EnvironmentSettingsReader,
    checks: SettingsChecks,
  ) {
    super();
    checks.registerNeed(this);
  }

  override async unmetIn(
    environmentId: EnvironmentId,
    settings: EnvironmentSettings,
    tx: Transaction,
  ): Promise<FieldProblem[]> {
    const required = requiredIn(settings);
    if (required.length === 0) return [];
    const enabled = await this.providers.listEnabledNames(environmentId, tx);
    return required
      .filter(({ sender }) => !enabled.includes(sender))
      .map(({ path, name, sender }) => ({
        path,
        message: `nobody can verify ${name} while no provider of the type ${sender} is enabled`,
      }));
  }

  /** The contacts that the environment requires and nobody could verify without the provider. */
  async neededFor(environmentId: EnvironmentId, provider: ProviderName, tx: Transaction): Promise<string[]> {
    if (!Object.values(SENDERS).includes(provider)) return [];
    const settings = await this.settings.lock(environmentId, tx);
    return requiredIn(settings).flatMap(({ name, sender }) => (sender === provider ? [name] : []));
  }

  /** Before an enabled provider is turned off or deleted. @throws providerNeeded */
  async assertNotNeeded(environmentId: EnvironmentId, provider: ProviderName, tx: Transaction): Promise<void> {
    const contacts = await this.neededFor(environmentId, provider, tx);
    if (contacts.length === 0) return;
    const fields = contacts.map((field) => ({
      field,
      reason: 'is required, and verified with codes of this provider',
    }));
    throw providerNeeded({ payload: { fields } });
  }
}

function requiredIn({ kyc }: EnvironmentSettings): { path: string; name: string; sender: ProviderName }[] {
  return kyc.flatMap(({ name, enabled, required, verify }, index) => {
    const sender = Object.hasOwn(SENDERS, name) ? SENDERS[name] : undefined;
    return sender && enabled && required && verify ? [{ path: `kyc.${index}.required`, name, sender }] : [];
  });
}
