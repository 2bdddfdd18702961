import { ADDRESS, ID, type ExampleFacts, type RequestExamples } from './example-facts.js';
import { EXAMPLES_OF_ACCESS } from './request-examples.access.js';
import { EXAMPLES_OF_MONEY } from './request-examples.money.js';
import { EXAMPLES_OF_PROOFS } from './request-examples.proofs.js';

const webhook = ({ webhookUrl }: ExampleFacts): object => ({
  url: webhookUrl,
  isEnabled: true,
  events: ['user.created'],
});

const profile = (): object => ({ firstName: 'Ada', jobTitle: 'Analyst' });
const wallet = (): object => ({
  publicWalletAddress: ADDRESS,
  chain: 'EVM',
  walletName: 'Example wallet',
  walletProvider: 'browserExtension',
});
const phone = { phoneCountryCode: '41', phoneNumber: '446681800', isoCountryCode: 'CH' };
const code = (): object => ({ verificationUUID: ID, verificationToken: '123456' });
const signedMessage = (): object => ({
  ...wallet(),
  messageToSign: 'shop.example.com wants you to sign in with your Ethereum account: …',
  signedMessage: `0x${'1b'.repeat(65)}`,
});
const attempt = {
  state: 'fJ3kQ9xT7vLw2Zr8',
  code: 'wHf2kVb0Yx8mQn4tRs6u',
  codeVerifier: 'cLd5eGa7i9oZq3TyKr0NwHf2kVb0Yx8mQn4tRs6uJp1',
};

const EXAMPLES_OF_USERS: RequestExamples = {
  createUser: () => ({ email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing' }),
  bulkCreateUser: () => [{ email: 'edsger@example.com' }, { email: 'barbara@example.com', firstName: 'Barbara' }],
  updateUser: profile,
  updateUserLegacy: profile,
  updateSelf: () => ({ firstName: 'Ada' }),
  createEmbeddedWallet: () => ({ identifier: 'katherine@example.com', type: 'email', chains: ['EVM'] }),
  createEmbeddedWalletFromFrameapp: () => ({ email: 'dorothy@example.com', fid: 4242, chains: ['EVM'] }),
  createEmbeddedWallets: () => ({ embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }] }),
  createWallet: wallet,
  createWalletLegacy: () => ({ ...wallet(), publicWalletAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }),
  recoverDeletedWalletsWithEnvironment: () => ({ userId: ID }),
  selectUserWallet: () => ({ walletId: ID }),
};

const EXAMPLES_OF_SIGN_IN: RequestExamples = {
  createEmailVerification: () => ({ email: 'you@example.com' }),
  retryEmailVerification: () => ({ email: 'you@example.com', verificationUUID: ID }),
  signInWithEmailVerification: code,
  verifyEmailVerification: code,
  createSmsVerification: () => phone,
  retrySmsVerification: () => ({ ...phone, verificationUUID: ID }),
  signInWithSmsVerification: code,
  verifySmsVerification: code,
  externalAuthSignin: () => ({ jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' }),
  externalAuthVerify: () => ({ jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' }),
  checkExternalJwt: () => ({ encodedJwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' }),
  initAuth: () => ({ state: attempt.state, redirectUrl: 'https://shop.example.com/signed-in' }),
  oauthResult: () => ({ state: attempt.state }),
  oauthSignIn: () => attempt,
  oauthVerify: () => attempt,
  prefetch: () => ({ chain: 'EVM', publicWalletAddress: ADDRESS }),
  verify: signedMessage,
  walletsSignin: signedMessage,
  walletsVerify: signedMessage,
  checkStepUp: () => ({ scope: 'wallet:export' }),
  updatePasskey: () => ({ id: ID, alias: 'Laptop' }),
  deletePasskey: () => ({ passkeyId: ID }),
  updateUserMfaDevice: () => ({ default: true }),
  registerTotpMfaDeviceVerify: () => ({ type: 'totp', code: '123456' }),
  createVisit: () => ({
    address: ADDRESS,
    chain: 'EVM',
    provider: 'browserExtension',
    walletName: 'Example wallet',
  }),
  publishEvent: () => ({
    events: [{ anonymousId: 'visitor-42', event: 'Page viewed', properties: { path: {} }, type: 'track' }],
  }),
  logSdkSettings: () => ({ frameworkSettings: { react: { version: '19.0.0' } } }),
};

const EXAMPLES_OF_WEBHOOKS: RequestExamples = {
  createWebhook: webhook,
  updateWebhookById: webhook,
  createWebhookReplay: () => ({ messages: 'failed', startDate: '2026-01-01', endDate: '2026-12-31T12:00:00Z' }),
};

/**
 * Bodies that an operation accepts as is except for ids, by operation id. A sample from the schema alone has every
 * field, even those that exclude each other.
 */
export const REQUEST_EXAMPLES: RequestExamples = {
  ...EXAMPLES_OF_USERS,
  ...EXAMPLES_OF_SIGN_IN,
  ...EXAMPLES_OF_WEBHOOKS,
  ...EXAMPLES_OF_ACCESS,
  ...EXAMPLES_OF_MONEY,
  ...EXAMPLES_OF_PROOFS,
};
