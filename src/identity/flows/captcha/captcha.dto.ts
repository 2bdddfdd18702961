import { IntegerField, RefField, StringField } from '../../../common/fields/index.js';

/** What is to be found: a counter that, appended to the nonce, gives a key with the prefix. */
export class CaptchaChallengeParameters {
  @StringField({ description: 'How the key is derived from nonce and counter.' })
  algorithm!: string;

  @IntegerField({ description: 'Rounds of each derivation.' })
  cost!: number;

  @IntegerField({ description: 'Bytes of the key.' })
  keyLength!: number;

  @StringField({ description: 'What the key begins with, in hex.' })
  keyPrefix!: string;

  @StringField({ description: 'In hex. Good once, for 5 minutes.' })
  nonce!: string;

  @StringField({ description: 'In hex.' })
  salt!: string;
}

export class CaptchaChallengeResponse {
  @RefField(() => CaptchaChallengeParameters)
  parameters!: CaptchaChallengeParameters;
}
