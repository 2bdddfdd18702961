import { BooleanField, defineEnum, EnumField, StringField, type EnumValue } from '../../common/fields/index.js';

const REASONS = defineEnum('WebsiteVerdictReason', [
  'allow_list',
  'block_list',
  'homograph',
  'edit_distance',
  'credentials_in_url',
  'vendor',
  'unknown',
]);
export type VerdictReason = EnumValue<typeof REASONS>;

export class ScanWebsiteUrlRequest {
  @StringField({ min: 1, max: 255, description: 'http or https.', example: 'https://example.com/' })
  url!: string;
}

export class ScanWebsiteUrlResponse {
  @BooleanField({ optional: true, nullable: true, description: 'Null if nothing is known about the site.' })
  isMalicious?: boolean | null;

  @EnumField(REASONS, { optional: true })
  reason?: VerdictReason;

  @StringField({ optional: true, description: 'The site that this one imitates.' })
  looksLike?: string;
}
