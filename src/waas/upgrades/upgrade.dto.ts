import { StringField } from '../../common/fields/index.js';

export class UpgradeEmbeddedWalletToV2Request {
  @StringField({ optional: true, description: "Refused: the session's public key is set when it starts." })
  sessionPublicKey?: string;
}
