/* global location, TextEncoder, window */
import { call, hexOf, HOME, onClick, onSubmit, part, SCOPES } from './service.js';
import { enter } from './session.js';

// Sign-in with the browser's wallet (EIP-1193) and an EIP-4361 message, or with an account of the frame network, whose
// custody address signs such a message (FIP-11).
const FRAME_CHAIN = 10;

const ask = (method, params) => window.ethereum.request({ method, params });

/** Has the wallet sign a message. */
export async function signedMessage(statement, { chainId, resources = [] } = {}) {
  const [address] = await ask('eth_requestAccounts');
  const network = chainId ?? Number(await ask('eth_chainId'));
  const { nonce } = await call('/nonce');
  const message = [
    `${location.host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${HOME}`,
    'Version: 1',
    `Chain ID: ${network}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date().toISOString()}`,
    ...(resources.length > 0 ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []),
  ].join('\n');
  const signature = await ask('personal_sign', [`0x${hexOf(new TextEncoder().encode(message))}`, address]);
  return { address, nonce, message, signature };
}

/** The wallet proof in the form of the API. */
export async function walletProof() {
  const { address, message, signature } = await signedMessage('Sign in to the sandbox.');
  return {
    messageToSign: message,
    signedMessage: signature,
    publicWalletAddress: address,
    chain: 'EVM',
    walletName: 'browser',
    walletProvider: 'browserExtension',
  };
}

async function signInToFrames(form) {
  const resources = [`farcaster://fid/${form.get('fid')}`];
  const { address, nonce, message, signature } = await signedMessage('Farcaster Auth', {
    chainId: FRAME_CHAIN,
    resources,
  });
  enter(await call('/frameapp/signin', { address, domain: location.host, nonce, message, signature }));
}

export function offerWallet({ providers = [] }) {
  part('wallet').hidden = !window.ethereum;
  part('frame').hidden = !window.ethereum || !providers.some(({ provider }) => provider === 'farcaster');
  onClick(part('wallet').querySelector('button'), async () =>
    enter(await call('/verify', { ...(await walletProof()), requestedScopes: SCOPES })),
  );
  onSubmit('frame', signInToFrames);
}
