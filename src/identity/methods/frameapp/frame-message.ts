import type { SignInMessage } from '../../messages/sign-in-message.js';

/** FIP-11 fixes the chain on which accounts are registered. */
export const REGISTRY_NETWORK = 10;
const STATEMENTS: ReadonlySet<string | null> = new Set(['Farcaster Auth', 'Farcaster Connect']);
const FID = /^farcaster:\/\/fid\/([1-9]\d{0,15})$/;

/** What the request says beside its message. */
export interface FrameClaim {
  domain: string;
  nonce: string;
}

/** The account that a message is about, or what is wrong with it beyond what EIP-4361 asks. */
export type FrameReading = { fid: string } | { problem: string };

/**
 * FIP-11, Sign In With Farcaster: the message of EIP-4361 on the chain of the registry, with a statement of its own and the
 * account as a resource. Two accounts in one message are none.
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
