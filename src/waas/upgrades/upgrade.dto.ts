import { StringField } from '../../common/fields/index.js';

export class UpgradeEmbeddedWalletToV2Request {
  @StringField({ optional: true, description: 'Refused: a session is given its public key when it begins.' })
  sessionPublicKey?: string;
}
