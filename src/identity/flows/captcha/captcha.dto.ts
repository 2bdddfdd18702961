import { IntegerField, RefField, StringField } from '../../../common/fields/index.js';

/** The challenge: find a counter that, appended to the nonce, derives a key with the prefix. */
export class CaptchaChallengeParameters {
  @StringField({ description: 'Derivation function of the key from nonce and counter.' })
  algorithm!: string;

  @IntegerField({ description: 'Iterations of each derivation.' })
  cost!: number;

  @IntegerField({ description: 'Length of the key in bytes.' })
  keyLength!: number;

  @StringField({ description: 'Required prefix of the key, in hex.' })
  keyPrefix!: string;

  @StringField({ description: 'In hex. Single-use; expires after 5 minutes.' })
  nonce!: string;

  @StringField({ description: 'In hex.' })
  salt!: string;
}

export class CaptchaChallengeResponse {
  @RefField(() => CaptchaChallengeParameters)
  parameters!: CaptchaChallengeParameters;
}
