import { ELEVATED_SCOPES, type ElevatedScope } from '../../auth/index.js';
import { EnumListField, StringField, UuidField } from '../../common/fields/index.js';
import { CAPTCHA, SESSION_PUBLIC_KEY } from '../flows/sign-in.dto.js';

/** A code returned by a client. */
export abstract class CodeReturnRequest {
  @UuidField()
  verificationUUID!: string;

  @StringField({ pattern: /^[0-9]{6}$/, description: 'The six digits of the newest message.' })
  verificationToken!: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;

  @StringField({ optional: true, min: 1, description: SESSION_PUBLIC_KEY })
  sessionPublicKey?: string;

  @EnumListField(ELEVATED_SCOPES, {
    optional: true,
    description: 'Additional scopes for the proof: the answer then contains an `elevatedAccessToken`.',
  })
  requestedScopes?: ElevatedScope[];
}
