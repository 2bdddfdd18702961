/** What examples of requests are made of. */
export interface ExampleFacts {
  /** Receives webhooks. */
  webhookUrl: string;
}

const webhook = ({ webhookUrl }: ExampleFacts): object => ({
  url: webhookUrl,
  isEnabled: true,
  events: ['user.created'],
});

/**
 * Bodies that an operation accepts as they are, by operation id. What the explorer makes of a schema alone fills every
 * field, also those that exclude each other.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, (facts: ExampleFacts) => object>> = {
  createEmailVerification: () => ({ email: 'you@example.com' }),
  createVisit: () => ({
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    chain: 'EVM',
    provider: 'browserExtension',
    walletName: 'Example wallet',
  }),
  createUser: () => ({ email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing' }),
  bulkCreateUser: () => [{ email: 'edsger@example.com' }, { email: 'barbara@example.com', firstName: 'Barbara' }],
  updateUser: () => ({ firstName: 'Ada', jobTitle: 'Analyst' }),
  updateUserLegacy: () => ({ firstName: 'Ada', jobTitle: 'Analyst' }),
  updateSelf: () => ({ firstName: 'Ada' }),
  createEmbeddedWallet: () => ({ identifier: 'katherine@example.com', type: 'email', chains: ['EVM'] }),
  createEmbeddedWalletFromFrameapp: () => ({ email: 'dorothy@example.com', fid: 4242, chains: ['EVM'] }),
  postToken: () => ({ note: 'Reads users', scopes: ['environment.users.read'] }),
  createUserApiToken: () => ({ note: 'For my scripts' }),
  createWebhook: webhook,
  updateWebhookById: webhook,
  updateProject: () => ({ name: 'Storefront' }),
  addOrigin: () => ({ origin: 'https://shop.example.com' }),
  createCustomHostname: () => ({ hostname: 'auth.example.com', usage: 'cookies' }),
  addDeeplinkUrl: () => ({ url: 'storefront://sign-in' }),
};
