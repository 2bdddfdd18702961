import { BooleanField } from '../../../common/fields/index.js';

/** Asks for a token that stands for a second factor. */
export class CreateMfaToken {
  @BooleanField({
    description: 'Whether the token is good once, or for five minutes for the action it is first used for.',
  })
  singleUse!: boolean;
}
