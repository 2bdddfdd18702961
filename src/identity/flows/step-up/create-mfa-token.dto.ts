import { BooleanField } from '../../../common/fields/index.js';

/** Requests a token that stands for a second factor. */
export class CreateMfaToken {
  @BooleanField({
    description: 'Whether the token is single-use, or valid for five minutes for the action that it is first used for.',
  })
  singleUse!: boolean;
}
