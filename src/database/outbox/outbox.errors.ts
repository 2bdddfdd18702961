import { defineError } from '../../common/errors/index.js';

export const eventTooLarge = defineError({
  code: 'event_too_large',
  status: 422,
  message: 'The record would be too large to be published.',
  hint: 'Store less in the record; numbers with large exponents count as all their digits.',
  cause: 'The event that describes the change would exceed 256 KB, more than receivers of webhooks take.',
  fix: 'Shorten what is stored in the record, such as its metadata, and send the request again. Nothing was written.',
});
