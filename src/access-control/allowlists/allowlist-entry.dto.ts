import { EmailField, IntegerField, ListField, NumberField, StringField, UuidField } from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';

/** A person on an allowlist: anybody who has verified one of these identifiers. */
export class AllowlistEntry {
  @UuidField()
  id!: string;

  @UuidField()
  allowListId!: string;

  @StringField({ optional: true })
  walletPublicKey?: string;

  @EmailField({ optional: true, max: Infinity })
  email?: string;

  @StringField({ optional: true })
  emailDomain?: string;

  @StringField({ optional: true })
  phoneNumber?: string;

  @StringField({ optional: true })
  discordUsername?: string;

  @StringField({ optional: true })
  twitterUsername?: string;

  @StringField({ optional: true, description: 'Used only without a frameappFid, which never changes hands.' })
  frameappUsername?: string;

  @NumberField({ optional: true })
  frameappFid?: number;

  @StringField({ optional: true, description: "The team's name for the entry. It lets nobody in." })
  alias?: string;

  @StringField({ optional: true })
  externalUserId?: string;
}

export class PostAllowlistEntriesRequest {
  @StringField({ optional: true, max: 255, pattern: /^[A-Za-z0-9]+$/ })
  walletPublicKey?: string;

  @EmailField({ optional: true, allowEmpty: true, example: 'ann@example.com' })
  email?: string;

  @StringField({ optional: true, description: 'All addresses of a domain, excluding its subdomains.' })
  emailDomain?: string;

  @StringField({ optional: true, max: 255, pattern: /^(\+[1-9]\d{1,14})?$/, description: 'E.164.' })
  phoneNumber?: string;

  @StringField({ optional: true, max: 255 })
  alias?: string;

  @StringField({ optional: true, max: 255 })
  discordUsername?: string;

  @StringField({ optional: true, max: 255 })
  twitterUsername?: string;

  @StringField({ optional: true, max: 255 })
  frameappUsername?: string;

  @NumberField({ optional: true, description: 'A positive integer.' })
  frameappFid?: number;

  @StringField({ optional: true, max: 255 })
  externalUserId?: string;
}

export class AllowlistEntriesResponse {
  @IntegerField({ optional: true, description: 'Entries in the whole list; for a search, at most 1000.' })
  count?: number;

  @ListField(() => AllowlistEntry, { optional: true })
  entries?: AllowlistEntry[];
}

export const DEFAULT_PAGE = 20;

export class ListEntriesQuery {
  @StringField({
    optional: true,
    pattern: /^[A-Za-z]*-(asc|desc)$/,
    example: 'createdAt-asc',
    description: 'createdAt-asc or createdAt-desc.',
  })
  orderBy?: string;

  @QueryInteger({ optional: true, min: 0, default: 0 })
  offset?: number;

  @QueryInteger({ optional: true, min: 1, max: 100, default: DEFAULT_PAGE })
  limit?: number;

  @StringField({
    optional: true,
    description: 'Prefix of any field of an entry, except the frameappUsername of an entry that has a frameappFid.',
  })
  query?: string;
}
