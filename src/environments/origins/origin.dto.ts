import { DateField, ListField, PickOf, RefField, StringField, UuidField } from '../../common/fields/index.js';

const ORIGIN = /^(https?|chrome-extension|moz-extension):\/\/(?!.*(\*).*(\*).*)[*a-zA-Z0-9._-]{1,256}(:[*0-9]{1,5})?$/;

/** An allowed site as the API shows it. */
export class Origin {
  @UuidField({ optional: true })
  id?: string;

  @StringField({
    optional: true,
    pattern: ORIGIN,
    description:
      'Scheme, host and port of the site, as its browser sends them. One label of the host can be a wildcard: https://*.example.com.',
    example: 'https://app.example.com',
  })
  origin?: string;

  @DateField({ optional: true })
  createdAt?: Date;

  @UuidField({ optional: true })
  projectEnvironmentId?: string;
}

export class DeletedOrigin extends PickOf(Origin, ['id', 'origin']) {}

export class OriginsResponse {
  @ListField(() => Origin, { optional: true })
  origins?: Origin[];
}

export class OriginCreateRequest {
  @StringField({
    pattern: ORIGIN,
    description:
      'A site: https, in the sandbox also http on localhost, or a browser extension. Without a path. The leftmost label can be a wildcard, below a domain that is yours alone; in the sandbox http://localhost:* and http://127.0.0.1:* stand for every port.',
    example: 'https://app.example.com',
  })
  origin!: string;
}

export class OriginCreateResponse {
  @RefField(() => Origin, { optional: true })
  origin?: Origin;
}
