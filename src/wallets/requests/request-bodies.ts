import { derivationPath, type EmbeddedChain } from '../../custody/index.js';
import type {
  KeyvaultCreateWalletAccountsRequestBody,
  KeyvaultDeleteEmbeddedWalletsRequestBody,
  KeyvaultWalletAccount,
} from './key-request.dto.js';

export const CREATE_ACCOUNTS = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS';
export const DELETE_WALLETS = 'ACTIVITY_TYPE_DELETE_WALLETS';

const FORMATS: Record<EmbeddedChain, Pick<KeyvaultWalletAccount, 'curve' | 'addressFormat'>> = {
  EVM: { curve: 'CURVE_SECP256K1', addressFormat: 'ADDRESS_FORMAT_ETHEREUM' },
  SOL: { curve: 'CURVE_ED25519', addressFormat: 'ADDRESS_FORMAT_SOLANA' },
  SUI: { curve: 'CURVE_ED25519', addressFormat: 'ADDRESS_FORMAT_SUI' },
  BTC: { curve: 'CURVE_SECP256K1', addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH' },
};

/** The keys that a request is about. */
export interface KeySet {
  readonly keysId: string;
  /** The isolation record of the user's keys. */
  readonly organizationId: string;
  /** The user's id at the signer. */
  readonly vaultUserId: string;
  /** False for a user who only has imported or shared keys, or keys with another custodian. */
  readonly isSeed: boolean;
}

export const createAccountBody = (
  { keysId, organizationId }: KeySet,
  chain: EmbeddedChain,
  now: Date,
): KeyvaultCreateWalletAccountsRequestBody => ({
  organizationId,
  parameters: {
    walletId: keysId,
    accounts: [{ ...FORMATS[chain], pathFormat: 'PATH_FORMAT_BIP32', path: derivationPath(chain, 0) }],
  },
  timestampMs: String(now.getTime()),
  type: CREATE_ACCOUNTS,
});

export const deleteBody = (
  { organizationId }: KeySet,
  walletIds: readonly string[],
  now: Date,
): KeyvaultDeleteEmbeddedWalletsRequestBody => ({
  organizationId,
  parameters: { walletIds: [...walletIds], deleteWithoutExport: true },
  timestampMs: String(now.getTime()),
  type: DELETE_WALLETS,
});

/** The chain, if a request asks for its first account; null if it asks for anything else. */
export function chainAskedFor(accounts: unknown): EmbeddedChain | null {
  const chains = Object.keys(FORMATS) as EmbeddedChain[];
  const [asked] = Array.isArray(accounts) && accounts.length === 1 ? (accounts as unknown[]) : [];
  const { curve, path, addressFormat } = (asked ?? {}) as Partial<KeyvaultWalletAccount>;
  const chain = chains.find((one) => FORMATS[one].addressFormat === addressFormat);
  return chain && FORMATS[chain].curve === curve && derivationPath(chain, 0) === path ? chain : null;
}
