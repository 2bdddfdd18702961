import { StringField } from '../../../common/fields/index.js';
import { CAPTCHA, SESSION_PUBLIC_KEY } from '../../flows/sign-in.dto.js';

export class FrameappSignInRequest {
  @StringField({ min: 1, max: 255, description: 'The custody address of the account, which signed the message.' })
  address!: string;

  @StringField({ min: 1, max: 255, description: 'The domain of the message.' })
  domain!: string;

  @StringField({ min: 1, max: 255, description: 'The nonce of the message, obtained from getNonce.' })
  nonce!: string;

  @StringField({
    description:
      'The text that was signed: EIP-4361 with "Chain ID: 10", the statement "Farcaster Auth" and the resource "farcaster://fid/<number>" (FIP-11).',
  })
  message!: string;

  @StringField({ min: 1, max: 255, description: 'In hex.' })
  signature!: string;

  @StringField({ optional: true, description: CAPTCHA })
  captchaToken?: string;

  @StringField({ optional: true, min: 1, description: SESSION_PUBLIC_KEY })
  sessionPublicKey?: string;
}
