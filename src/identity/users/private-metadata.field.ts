import { JsonField } from '../../common/fields/index.js';
import { NO_LIMIT_OF_ITS_OWN } from './profile-fields.dto.js';

/** Metadata that servers and members keep about a user; readable and writable by administrators only. */
export const PrivateMetadataField = <const O extends { optional: true; nullable?: true }>(options: O) =>
  JsonField({
    ...options,
    maxBytes: NO_LIMIT_OF_ITS_OWN,
    description:
      'Free-form, at most 16 384 bytes of JSON. Written only by API tokens and members; end users never see it, and it is not in any JWT. A change replaces all of it.',
  });
