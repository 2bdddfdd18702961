import { JsonField, RefField, StringField } from '../../common/fields/index.js';

export class ReactSettings {
  @StringField({ optional: true })
  version?: string;
}

export class NextJsSettings {
  @StringField({ optional: true })
  version?: string;
}

export class FrameworkSettings {
  @RefField(() => ReactSettings, { optional: true })
  react?: ReactSettings;

  @RefField(() => NextJsSettings, { optional: true })
  nextjs?: NextJsSettings;
}

/** What a client reports about itself, unverified. */
export class ClientSettingsReport {
  @JsonField({ optional: true, description: 'At most 16 KB.' })
  sdkContextProps?: Record<string, unknown>;

  @JsonField({ optional: true, description: 'At most 16 KB.' })
  sdkConnectorSettings?: Record<string, unknown>;

  @RefField(() => FrameworkSettings, { optional: true })
  frameworkSettings?: FrameworkSettings;
}
