import {
  BooleanField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
  EnumField,
} from '../../common/fields/index.js';
import type { EmbeddedChain } from '../../custody/index.js';
import { EMBEDDED_WALLET_CHAINS } from '../record/embedded-wallet.dto.js';

export class KeyvaultStamp {
  @StringField({ description: '`X-Stamp`.' })
  stampHeaderName!: string;

  @StringField({
    description:
      'base64url of JSON: `publicKey`, the compressed P-256 key of the session in hexadecimal; `scheme`, `SIGNATURE_SCHEME_TK_API_P256`; `signature`, ECDSA with SHA-256 over `body`, DER in hexadecimal.',
  })
  stampHeaderValue!: string;
}

/** A request signed by the session's key. */
export class KeyvaultSignedRequest {
  @StringField({ description: 'The prepared request as JSON text, exactly as it was signed.' })
  body!: string;

  @RefField(() => KeyvaultStamp)
  stamp!: KeyvaultStamp;

  @StringField({ description: 'Not used: this service executes the request itself.' })
  url!: string;
}

export class CreateWalletAccountRequest {
  @RefField(() => KeyvaultSignedRequest)
  keyvaultSignedRequest!: KeyvaultSignedRequest;
}

export class DeleteEmbeddedWalletsRequest {
  @RefField(() => KeyvaultSignedRequest)
  keyvaultSignedRequest!: KeyvaultSignedRequest;
}

export class CreateWalletAccountQuery {
  @EnumField(EMBEDDED_WALLET_CHAINS, { description: 'The chain for the account.' })
  chain!: EmbeddedChain;
}

export class KeyvaultWalletAccount {
  @StringField()
  curve!: string;

  @StringField()
  pathFormat!: string;

  @StringField()
  path!: string;

  @StringField()
  addressFormat!: string;
}

export class KeyvaultCreateWalletAccountsRequestBodyParameters {
  @UuidField()
  walletId!: string;

  @ListField(() => KeyvaultWalletAccount)
  accounts!: KeyvaultWalletAccount[];
}

export class KeyvaultCreateWalletAccountsRequestBody {
  @UuidField()
  organizationId!: string;

  @RefField(() => KeyvaultCreateWalletAccountsRequestBodyParameters)
  parameters!: KeyvaultCreateWalletAccountsRequestBodyParameters;

  @StringField({ description: 'Milliseconds since 1970. The request is valid for a minute.' })
  timestampMs!: string;

  @StringField()
  type!: string;
}

export class KeyvaultDeleteEmbeddedWalletsRequestBodyParameters {
  @StringListField({ format: 'uuid' })
  walletIds!: string[];

  @BooleanField({ optional: true, description: 'Always true; a signed request in which it is false is refused.' })
  deleteWithoutExport?: boolean;
}

export class KeyvaultDeleteEmbeddedWalletsRequestBody {
  @UuidField()
  organizationId!: string;

  @RefField(() => KeyvaultDeleteEmbeddedWalletsRequestBodyParameters)
  parameters!: KeyvaultDeleteEmbeddedWalletsRequestBodyParameters;

  @StringField({ description: 'Milliseconds since 1970. The request is valid for a minute.' })
  timestampMs!: string;

  @StringField()
  type!: string;
}

export class RegisterSessionKeyRequest {
  @StringField({
    example: '03c3fe1e6044c13acc3f926d85e871ad60e862394f5a3149c22228d2bccc65b4da',
    description: 'A compressed P-256 public key, 66 hexadecimal digits.',
  })
  publicKey!: string;

  @StringField({ optional: true, description: 'Refused: a new key requires a recent proof instead.' })
  prevSessionKeySignature?: string;

  @UuidField({ optional: true, description: 'Refused: a session key is valid for all wallets of the user.' })
  walletId?: string;
}

export class RegisterEmbeddedWalletSessionKeyResponse {
  @StringField()
  publicKey!: string;

  @IntegerField({ description: 'Seconds since 1970.' })
  expiresAt!: number;
}
