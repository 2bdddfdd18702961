import { describe, expect, it } from '@jest/globals';
import type { SsoConnection, SsoProviders } from '../../organizations/index.js';
import { directoryOf } from '../../organizations/index.js';
import type { TenantDirectory } from '../../auth/index.js';
import { SignInChecks, type Admission } from '../flows/admission/sign-in-checks.js';
import { SingleSignOnCheck } from './single-sign-on.check.js';
import { SingleSignOn } from './single-sign-on.js';

const HOLDING = {
  id: '01a21e41-7d61-715c-bd65-d52620f63c0d',
  provider: 'okta',
  issuer: 'https://id.acme.example',
  emailDomain: 'acme.example',
  enforceOnlySso: true,
} as SsoConnection;
const email = { format: 'email', email: 'ann@acme.example', verifiedAt: new Date().toISOString() };

async function admit(facts: Partial<Admission>): Promise<string | null> {
  const tenants = { knownEnvironment: () => ({ enforcesSso: true }) } as unknown as TenantDirectory;
  const setups = { listFor: () => Promise.resolve([HOLDING]) } as unknown as SsoProviders;
  const check = new SingleSignOnCheck(new SignInChecks(), new SingleSignOn(tenants, setups));
  const admission = { occasion: 'sign-in', amr: [], user: { verifiedCredentials: [email] }, ...facts };
  try {
    return await check.check(admission as unknown as Admission, undefined as never);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('the rule of single sign-on', () => {
  it.each<[string, Partial<Admission>]>([
    ['the provider that holds the address', { voucher: { directory: directoryOf(HOLDING) } }],
    ['the operator', { voucher: 'operator' }],
    ['a session that there is', { occasion: 'refresh', amr: ['otp'] }],
  ])('admits by %s', async (_, facts) => {
    expect(await admit(facts)).toBeNull();
  });

  const elsewhere = (change: Partial<SsoConnection>): Partial<Admission> => ({
    amr: ['fed', 'sso'],
    voucher: { directory: directoryOf({ ...HOLDING, ...change }) },
  });
  it.each<[string, Partial<Admission>]>([
    ['a setup of somebody else', elsewhere({ id: '01a21e41-7d61-715c-bd65-d52620f63c0e' })],
    ['the setup when it was of another issuer', elsewhere({ issuer: 'https://id.former.example' })],
    ['the setup when it was of another domain', elsewhere({ emailDomain: 'former.example' })],
    ['what a method calls itself', { amr: ['link', 'sso'] }],
    ['what a method calls itself where accounts meet', { amr: ['link', 'sso'], occasion: 'meeting' }],
  ])('admits nobody by %s', async (_, facts) => {
    expect(await admit(facts)).toBe('single_sign_on_required');
  });
});
