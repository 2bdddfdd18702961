import { defineError } from '../../src/common/errors/index.js';

export const wrongLink = defineError({
  code: 'wrong_one_time_link',
  status: 422,
  message: 'This link does not work.',
  hint: 'Ask for a new link.',
  cause: 'The link was used, is older than an hour, or never existed. Which of these is not told.',
  fix: 'Have your server make another link.',
});
