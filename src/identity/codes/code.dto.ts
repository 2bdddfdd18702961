import { ELEVATED_SCOPES, type ElevatedScope } from '../../auth/index.js';
import { EnumListField, StringField, UuidField } from '../../common/fields/index.js';
import { CAPTCHA } from '../flows/sign-in.dto.js';

/** A code returned by a client. */
export abstract class CodeReturnRequest {
  @UuidField()
  verificationUUID!: string;

  @StringField({ pattern: /^[0-9]{6}$/, description: 'The six digits of the newest message.' })
  verificationToken!: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;

  @StringField({ optional: true, min: 1, description: 'A public key of the client, repeated in its tokens.' })
  sessionPublicKey?: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}
