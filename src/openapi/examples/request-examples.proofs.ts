import { ADDRESS, ID, type RequestExamples } from './example-facts.js';

/** Meaningless bytes in base64url. */
const BYTES = 'dGhpcyBpcyBhbiBleGFtcGxl';
const SIGNATURE = `0x${'1b'.repeat(65)}`;
const PASSKEY = { id: BYTES, rawId: BYTES, clientExtensionResults: {}, type: 'public-key' };
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';

/** WebAuthn §5.2.2: the result of `navigator.credentials.get`. */
const assertion = (): object => ({
  ...PASSKEY,
  response: { clientDataJSON: CLIENT_DATA, authenticatorData: BYTES, signature: 'MEUCIQDx' },
});

const wallet = (): object => ({
  publicWalletAddress: ADDRESS,
  chain: 'EVM',
  walletName: 'Example wallet',
  walletProvider: 'browserExtension',
  messageToSign: 'shop.example.com wants you to sign in with your Ethereum account: …',
  signedMessage: SIGNATURE,
});

const login = (): object => ({
  telegramAuthToken: 'id=4242&first_name=Ada&auth_date=1798761600&hash=9f86d081884c7d65',
});

const frame = (): object => ({
  address: ADDRESS,
  domain: 'shop.example.com',
  nonce: 'k3J9fQ2mZx7Lw0Rb',
  message: 'shop.example.com wants you to sign in with your Ethereum account: …',
  signature: SIGNATURE,
});

/** A prepared request, signed by the key of a session. */
const stamped = (type: string, parameters: object) => (): object => ({
  keyvaultSignedRequest: {
    body: JSON.stringify({ organizationId: ID, parameters, timestampMs: '1798761600000', type }),
    stamp: { stampHeaderName: 'X-Stamp', stampHeaderValue: 'eyJwdWJsaWNLZXkiOiIwM2Mz' },
    url: 'https://example.com',
  },
});

/** Signatures and browser responses: they only show the format, since each is valid for one call. */
export const EXAMPLES_OF_PROOFS: RequestExamples = {
  verifyLink: wallet,
  verifyTransfer: wallet,
  verifyUnlink: () => ({ verifiedCredentialId: ID }),
  frameappSignIn: frame,
  frameappVerify: frame,
  telegramCheckAuth: login,
  telegramSignIn: login,
  telegramVerify: login,
  postTelegramAuth: () => ({
    state: 'fJ3kQ9xT7vLw2Zr8',
    telegramUser: { id: 4242, firstName: 'Ada', authDate: '1798761600', hash: '9f86d081884c7d65' },
  }),
  signinWithPasskey: assertion,
  authenticateMfaPasskeyDevice: assertion,
  registerPasskey: () => ({ ...PASSKEY, response: { clientDataJson: CLIENT_DATA, attestationObject: BYTES } }),
  registerPasskeyMfaDeviceVerify: () => ({
    id: ID,
    attestation: { ...PASSKEY, response: { clientDataJSON: CLIENT_DATA, attestationObject: BYTES } },
  }),
  completePasskeyRecovery: () => ({
    walletId: ID,
    attestation: {
      attestationObject: BYTES,
      clientDataJson: CLIENT_DATA,
      credentialId: BYTES,
      transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
    },
    challenge: 'dGhpcy1pcy1hLWNoYWxsZW5nZQ',
  }),
  createWalletAccount: stamped('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId: ID, accounts: [] }),
  deleteEmbeddedWallets: stamped('ACTIVITY_TYPE_DELETE_WALLETS', { walletIds: [ID] }),
  updateEmbeddedWalletRecoveryEmail: stamped('ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId: ID,
    userEmail: 'ada@example.com',
  }),
};
