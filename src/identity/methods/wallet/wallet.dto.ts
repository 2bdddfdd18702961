import { ELEVATED_SCOPES, type ElevatedScope } from '../../../auth/index.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  ListField,
  RefField,
  StringField,
  type EnumValue,
} from '../../../common/fields/index.js';
import { WalletAdditionalAddress } from '../../credentials/verified-credential.dto.js';
import { CAPTCHA, SESSION_PUBLIC_KEY } from '../../flows/sign-in.dto.js';
import { CHAINS, type Chain } from '../../vocabulary/chains.js';
import { PROVIDER_KINDS, type ProviderKind } from '../../vocabulary/providers.js';
import { PASSWORD_SOURCES, WALLET_PROVIDERS, type WalletProvider } from '../../vocabulary/wallets.js';

const UNUSED = 'Accepted for compatibility; neither used nor stored.';

export class OauthProviderRequest {
  @EnumField(PROVIDER_KINDS, { optional: true, description: UNUSED })
  provider?: ProviderKind;

  @StringField({ optional: true, description: UNUSED })
  accessToken?: string;

  @StringField({ optional: true, description: UNUSED })
  didToken?: string;
}

/** A message signed by a wallet. */
export class VerifyRequest {
  @StringField({
    description:
      'Base64, or hex for EVM chains, TRON and APTOS (the account authenticator); Solana signatures can also be base58 or hex. A smart account that is not deployed wraps its signature in ERC-6492 format.',
  })
  signedMessage!: string;

  @StringField({
    description:
      'The signed text in EIP-4361 format, for other chains with their name in place of "Ethereum": at most 4096 characters, with a registered origin as domain and a nonce from getNonce.',
  })
  messageToSign!: string;

  @StringField({ min: 1, max: 255 })
  publicWalletAddress!: string;

  @EnumField(CHAINS, {
    description:
      'EVM (or ETH), SOL, SUI, BTC, COSMOS, TRON, ALGO and APTOS; for others the answer is `chain_not_supported`.',
  })
  chain!: Chain;

  @StringField({
    min: 1,
    max: 255,
    description: 'The application that signed: shown with the wallet from now on, as is its provider.',
  })
  walletName!: string;

  @EnumField(WALLET_PROVIDERS)
  walletProvider!: WalletProvider;

  @StringField({ optional: true, max: 255, description: 'The network of the wallet; must match the message.' })
  network?: string;

  @ListField(() => WalletAdditionalAddress, {
    optional: true,
    description: 'Shown with the wallet, but not proven. If absent, those of an earlier sign-in remain.',
  })
  additionalWalletAddresses?: WalletAdditionalAddress[];

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;

  @StringField({ optional: true, min: 1, description: SESSION_PUBLIC_KEY })
  sessionPublicKey?: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];

  @BooleanField({
    optional: true,
    description: 'For verifyTransfer: whether the wallet may move even if its owner has no other way to sign in.',
  })
  skipEmptyAccountCheck?: boolean;

  @RefField(() => OauthProviderRequest, { optional: true, description: UNUSED })
  oauth?: OauthProviderRequest;

  @StringField({ optional: true, max: 255, description: UNUSED })
  backup?: string;

  @StringField({ optional: true, max: 100, description: UNUSED })
  password?: string;

  @EnumField(PASSWORD_SOURCES, { optional: true, description: UNUSED })
  passwordSource?: EnumValue<typeof PASSWORD_SOURCES>;
}

export class PrefetchRequest {
  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ max: 255, pattern: /^[A-Za-z0-9]+$/ })
  publicWalletAddress!: string;
}
