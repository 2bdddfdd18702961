import type { SignInMessage } from '../../messages/sign-in-message.js';

/** The chain on which accounts are registered, fixed by FIP-11. */
export const REGISTRY_NETWORK = 10;
const STATEMENTS: ReadonlySet<string | null> = new Set(['Farcaster Auth', 'Farcaster Connect']);
const FID = /^farcaster:\/\/fid\/([1-9]\d{0,15})$/;

/** What the request claims besides its message. */
export interface FrameClaim {
  domain: string;
  nonce: string;
}

/** The account of a message, or a violation of the rules beyond EIP-4361. */
export type FrameReading = { fid: string } | { problem: string };

/**
 * FIP-11, Sign In With Farcaster: an EIP-4361 message on the registry's chain, with its own statement and the account
 * as a resource. A message with two accounts is rejected.
 */
export function readFrameMessage(message: SignInMessage, claim: FrameClaim): FrameReading {
  const problem = PROBLEMS.find(({ holds }) => !holds(message, claim))?.hint;
  if (problem !== undefined) return { problem };
  const fids = message.resources.flatMap((resource) => FID.exec(resource)?.[1] ?? []);
  const [fid] = fids;
  return fid !== undefined && fids.length === 1
    ? { fid }
    : { problem: 'The message names one account, as the resource "farcaster://fid/<number>".' };
}

interface FrameRule {
  holds: (message: SignInMessage, claim: FrameClaim) => boolean;
  hint: string;
}

const PROBLEMS: readonly FrameRule[] = [
  { holds: ({ domain }, claim) => domain === claim.domain, hint: 'The domain of the message is not `domain`.' },
  { holds: ({ nonce }, claim) => nonce === claim.nonce, hint: 'The nonce of the message is not `nonce`.' },
  { holds: ({ chainId }) => chainId === String(REGISTRY_NETWORK), hint: `"Chain ID" is ${REGISTRY_NETWORK}.` },
  { holds: ({ statement }) => STATEMENTS.has(statement), hint: 'The statement is "Farcaster Auth".' },
];
