import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../database/index.js';
import { EmailProviders } from './email-providers.js';
import type { ProvidersRepository } from '../settings/providers.repository.js';

const environment = 'e' as EnvironmentId;

function providersOf(names: string[]): { providers: EmailProviders; lookups: () => number } {
  let lookups = 0;
  const repository: Pick<ProvidersRepository, 'listEnabledNames'> = {
    listEnabledNames: async () => {
      lookups++;
      return names;
    },
  };
  return { providers: new EmailProviders(repository as ProvidersRepository), lookups: () => lookups };
}

describe('sign-in by email', () => {
  it('is open while its provider is enabled, at the cost of one look-up', async () => {
    const { providers, lookups } = providersOf(['google', 'emailOnly']);
    await Promise.all([providers.assertEnabled(environment), providers.assertEnabled(environment)]);
    await expect(providers.assertEnabled(environment)).resolves.toBeUndefined();
    expect(lookups()).toBe(1);
  });

  it.each([[[]], [['google', 'magicLink']]])('is closed while only %p are', async (names: string[]) => {
    await expect(providersOf(names).providers.assertEnabled(environment)).rejects.toMatchObject({
      status: 422,
      code: 'no_enabled_email_provider',
    });
  });
});
