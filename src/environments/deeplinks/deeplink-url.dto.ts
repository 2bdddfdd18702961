import { DateField, ListField, PickOf, StringField, UuidField } from '../../common/fields/index.js';

const DEEPLINK = /^([a-zA-Z+-]{2,20}):\/\/(?!.*\*.*\*.*)[-*a-zA-Z0-9./]{0,255}(:[*0-9]{1,5})?((\/|\?).*)?$/;

/** An allowed application return URL, as the API shows it. */
export class DeeplinkUrl {
  @UuidField()
  id!: string;

  @StringField({
    pattern: DEEPLINK,
    description:
      'Any scheme except those that run code or open files. At most one wildcard; for web addresses it can be the leftmost label below a domain that is yours alone, the port, or part of the path.',
    example: 'myapp://callback',
  })
  url!: string;

  @DateField()
  createdAt!: Date;
}

export class DeletedDeeplinkUrl extends PickOf(DeeplinkUrl, ['id', 'url']) {}

export class DeeplinkUrlsResponse {
  @ListField(() => DeeplinkUrl)
  deeplinkUrls!: DeeplinkUrl[];
}

export class AddDeeplinkUrlRequest extends PickOf(DeeplinkUrl, ['url']) {}
