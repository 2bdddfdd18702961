import { Get, Put, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Caller,
  Dashboard,
  Environment,
  RecentlyProven,
  type DashboardPrincipal,
  type EnvironmentId,
  type ProofCondition,
} from '../auth/index.js';
import { ApiController, Operation } from '../common/http/operation.js';
import { SETTINGS_UPDATED } from './environment-settings.events.js';
import { EnvironmentSettingsService } from './environment-settings.service.js';
import { ReturnsEnvironment, ReturnsVersionedSettings } from './returns-settings.js';
import { secretSettings } from './settings/settings-change.js';
import { valueAt } from './settings/settings-fields.js';
import { SettingsBody } from './settings-body.js';
import { ReadVersion, SettingsVersionHeader } from './settings-version-header.js';

const RULES = `The request is merged into the stored settings: objects merge field by field, at every level, so that
omitted values are kept, even in required sections and fields. Lists, and maps such as \`general.supportUrls\`, are
replaced as a whole. \`null\` clears a nullable field. A secret, such as \`security.captcha.secretKey\`, is write-only;
an empty string removes it. Members need a proof from the last five minutes to send a secret, to turn external
authentication on, or to set whose tokens it accepts (\`iss\`, \`aud\`, \`jwksUrl\`). The sections
\`environmentName\`, \`customFields\`, \`providers\`, \`exchanges\` and \`networks\` have their own operations: they may be
sent back as they were read, and are not changed.

The answer carries the version of the settings as \`ETag\`. Without \`If-Match\`, the last write to a field wins. With it,
fields sent back unchanged keep concurrent changes by others; if the caller and somebody else have changed the same
field, the answer is 409 \`settings_changed\` and nothing is written.`;

/** Like a provider's address, these decide whom a sign-in is trusted to identify. */
const TRUST = ['enabled', 'iss', 'aud', 'jwksUrl'].map((name) => ['security', 'externalAuth', name]);

const NAMES_A_SECRET_OR_TRUST: ProofCondition = {
  asks: (sent) => secretSettings(sent).length > 0 || TRUST.some((names) => Boolean(valueAt(sent, names))),
  words: 'secrets, and for settings that decide whose external tokens are accepted',
};

@ApiController('environments/:environmentId', 'Environments')
export class EnvironmentSettingsController {
  constructor(private readonly settings: EnvironmentSettingsService) {}

  @Get()
  @Operation({
    id: 'getEnvironmentById',
    summary: 'Read an environment with its settings',
    description: 'The current settings, without secrets; `ETag` carries their version.',
  })
  @Dashboard({ scope: 'environment.settings.read', role: 'viewer' })
  @UseInterceptors(SettingsVersionHeader)
  @ReturnsEnvironment()
  getEnvironmentById(@Environment() environmentId: EnvironmentId) {
    return this.settings.get(environmentId);
  }

  @Put()
  @ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'The `ETag` of the settings that the change is based on.',
    schema: { type: 'string' },
  })
  @Operation({
    id: 'updateProjectSettings',
    summary: "Change an environment's settings",
    description: RULES,
    errors: [409, 422],
    events: [SETTINGS_UPDATED.name],
    limits: [
      'all settings together: 256 KB',
      'lists and maps: 100 entries each; names in maps: 255 characters',
      'strings without a limit of their own: 2,048 characters',
      'security.jwtDuration: 5 minutes to 30 days',
      'takes effect everywhere within a second',
    ],
  })
  @Dashboard({ scope: 'environment.settings.write', role: 'developer' })
  @RecentlyProven('console:settings:update', NAMES_A_SECRET_OR_TRUST)
  @UseInterceptors(SettingsVersionHeader)
  @ReturnsVersionedSettings()
  updateProjectSettings(
    @Environment() environmentId: EnvironmentId,
    @Caller() actor: DashboardPrincipal,
    @ReadVersion() readVersion: number | null,
    @SettingsBody() sent: unknown,
  ) {
    return this.settings.update(environmentId, sent, { actor, readVersion });
  }
}
