import { StringField } from '../common/fields/index.js';

export class ClientSettingsQuery {
  @StringField({ optional: true, description: 'Version of the calling client; accepted but not used.' })
  sdkVersion?: string;
}
