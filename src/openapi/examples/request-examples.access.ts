import type { RequestExamples } from './example-facts.js';

const customField = (name: string) => (): object => ({
  name,
  enabled: true,
  required: false,
  fieldType: 'text',
  validationRules: { regex: '[A-Za-z ]+' },
  position: 1,
});
const gate = (name: string) => (): object => ({
  name,
  outcome: 'scope',
  scope: 'holder',
  rules: [
    {
      type: 'token',
      chain: 'EVM',
      address: { networkId: 1, contractAddress: '0x52908400098527886E0F7030069857D2E4169EE7' },
      filter: { amount: 1.5 },
    },
  ],
});
const chain = (name: string, networkId: number, chainName: string): object => ({
  name,
  enabled: true,
  networks: [{ networkId, chainName, enabled: true, type: 'default' }],
});
const list = (name: string) => (): object => ({ name, outcome: 'scope', scope: 'early' });
const network = (chainId: string) => (): object => ({
  networkType: 'EVM',
  chainName: 'Example chain',
  chainId,
  rpcUrl: 'https://rpc.example.com/v1',
  blockExplorerUrl: 'https://explorer.example.com',
  iconUrl: 'https://example.com/icon.svg',
  nativeCurrencyName: 'Ether',
  nativeCurrencySymbol: 'ETH',
  nativeCurrencyIconUrl: 'https://example.com/ether.svg',
  nativeCurrencyDecimals: 18,
});
const appearance = (): object => ({ walletName: 'Example Wallet', popupPageTitle: 'Example Wallet' });
const provider = (): object => ({ clientId: 'storefront', clientSecret: 'of-your-app-at-github', scopes: 'read:user' });
const singleSignOn = (): object => ({
  clientId: 'storefront',
  clientSecret: 'of-your-app-there',
  ssoDomain: 'https://login.example.com',
  emailDomain: 'example.com',
  provider: 'okta',
});

/** Bodies for what members manage. */
export const EXAMPLES_OF_ACCESS: RequestExamples = {
  createCustomFieldForEnvironment: customField('Team'),
  updateCustomFieldById: customField('Department'),
  createGate: gate('Holders'),
  updateGate: gate('Holders of one and a half'),
  createAllowlistByEnvironmentId: list('Early access'),
  updateAllowlistById: list('Early adopters'),
  postEntryByAllowlistId: () => ({ email: 'ann@example.com' }),
  createGlobalWalletSettings: appearance,
  updateGlobalWalletSettings: appearance,
  createGlobalWalletAccessControl: () => ({ type: 'allow' }),
  updateGlobalWalletAccessControl: () => ({ type: 'allow' }),
  addGlobalWalletAccessControlDomain: () => ({ domain: 'https://shop.example.com' }),
  addOrigin: () => ({ origin: 'https://shop.example.com' }),
  addDeeplinkUrl: () => ({ url: 'storefront://sign-in' }),
  createCustomHostname: () => ({ hostname: 'auth.example.com', usage: 'cookies' }),
  // The sections of a new environment, all of which are replaced.
  updateSdkView: () => ({
    sections: [{ type: 'email' }, { type: 'separator', label: 'or' }, { type: 'social' }, { type: 'wallet' }],
  }),
  updateProjectSettings: () => ({
    // Lists are replaced as a whole: without its networks, nobody could sign in with a wallet of the chain.
    chains: [chain('EVM', 1, 'Ethereum'), chain('SOL', 101, 'Solana')],
    kyc: [{ name: 'email', label: 'Email', enabled: true, required: false, unique: true, verify: true, position: 1 }],
    design: {},
    general: { displayName: 'Storefront' },
    privacy: {},
    sdk: {},
    security: {},
  }),
  createProvider: () => ({ provider: 'github', ...provider() }),
  createProviderOfType: provider,
  updateProvider: provider,
  postToken: () => ({ note: 'Reads users', scopes: ['environment.users.read'] }),
  createUserApiToken: () => ({ note: 'For my scripts' }),
  createOrganization: () => ({ name: 'Second organization', websiteUrl: 'https://example.com' }),
  updateOrganizationById: () => ({ name: 'Acme Shoes', description: 'Shoes', websiteUrl: 'https://example.com' }),
  updateOrganizationAddressById: () => ({ addressLine1: 'Bahnhofstrasse 1', city: 'Zurich', country: 'CH' }),
  applyCouponForSubscription: () => ({ coupon: 'SPRING' }),
  createCustomNetwork: network('31337'),
  updateCustomNetwork: network('31338'),
  // The lowest role: trying out an example must not make anybody an owner.
  createInvite: () => ({ email: 'colleague@example.com', alias: 'Colleague', role: 'viewer' }),
  updateInvite: () => ({ status: 'accepted' }),
  updateMemberRole: () => ({ role: 'developer' }),
  delegateOwnership: () => ({ adminMemberIdToDelegate: '018f0000-0000-7000-8000-000000000001' }),
  createProject: () => ({ name: 'Web shop' }),
  updateProject: () => ({ name: 'Storefront' }),
  createSsoProvider: singleSignOn,
  updateSsoProvider: singleSignOn,
  checkSsoProvider: () => ({ email: 'ada@example.com' }),
};
