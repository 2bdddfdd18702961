const PROOF = 'needs what was made for this one call: a signature, a code or a state';
const REDIRECT = 'answers with a redirect';
const RETIRED = 'is retired, which it says with 410';

/** Examples that cannot be sent unchanged, and why. */
export const NOT_AS_IT_IS: Readonly<Record<string, string>> = {
  verify: PROOF,
  walletsSignin: PROOF,
  walletsVerify: PROOF,
  registerPasskey: PROOF,
  signinWithPasskey: PROOF,
  authenticateMfaPasskeyDevice: PROOF,
  registerPasskeyMfaDeviceVerify: PROOF,
  telegramCheckAuth: PROOF,
  postTelegramAuth: PROOF,
  telegramSignIn: PROOF,
  telegramVerify: PROOF,
  frameappSignIn: PROOF,
  frameappVerify: PROOF,
  verifyLink: PROOF,
  verifyTransfer: PROOF,
  createWalletAccount: PROOF,
  deleteEmbeddedWallets: PROOF,
  updateEmbeddedWalletRecoveryEmail: PROOF,
  completePasskeyRecovery: PROOF,
  createNameService: PROOF,
  completePrivateKeyImport: PROOF,
  claimName: 'names a wallet that its caller has proven',
  applyPromotion: 'names the digest of a plan that was made just before',
  postRoomMessage: PROOF,
  downloadExportById: REDIRECT,
  externalAuthVerify: RETIRED,
  oauthLogin: REDIRECT,
};

/** Whether an example got the expected response: 2xx, or what the exception's reason says. */
export function isAnsweredAsSaid(id: string, status: number): boolean {
  const hundreds = Math.floor(status / 100);
  const reason = NOT_AS_IT_IS[id];
  if (reason === undefined) return hundreds === 2;
  if (reason === REDIRECT) return hundreds === 3;
  return reason === RETIRED ? status === 410 : hundreds === 4 && status !== 429;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Fields with values of one record or call, like ids. */
const OF_ONE_CALL = new Set(['verificationToken', 'state', 'codeVerifier', 'jwt', 'code', 'coupon', 'ssoDomain']);

/** The example with its ids replaced by those of `usual`, a valid body. */
export function idsReplaced(example: unknown, usual: unknown, name = ''): unknown {
  if (typeof example === 'string') {
    const isId = UUID.test(example) || OF_ONE_CALL.has(name);
    return isId && typeof usual === 'string' ? usual : example;
  }
  if (example === null || typeof example !== 'object') return example;
  const of = (usual ?? {}) as Record<string, unknown>;
  // A verification belongs to one address, which goes with its id.
  if ('verificationUUID' in example) return { ...example, ...of };
  if (Array.isArray(example)) return example.map((item, at) => idsReplaced(item, of[at]));
  return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, idsReplaced(value, of[key], key)]));
}

/** @throws Error for a value that is the name of its type, as generators fill in */
export function assertFrom(example: unknown, name = ''): void {
  if (example === 'string') throw new Error(`${name} is "string"`);
  if (example === null || typeof example !== 'object') return;
  for (const [key, value] of Object.entries(example)) assertFrom(value, key);
}
