import { ReturnsComponent } from '../common/http/operation.js';
import type { VersionedSettings } from './environment-settings.service.js';
import { projectSettings } from './settings/settings-schema.js';
import type { ProjectSettings } from './settings/settings.types.js';

const ETAG = { ETag: { description: 'The version of the settings, for `If-Match`.', schema: { type: 'string' } } };

/** Schemas of environments with their settings, in addition to those of the settings themselves. */
export const environmentComponents = {
  ProjectEnvironment: {
    type: 'object',
    properties: {
      id: { $ref: '#/components/schemas/Uuid' },
      settings: { $ref: '#/components/schemas/ProjectSettings' },
      createdAt: { type: 'string', format: 'date-time' },
      updatedAt: { type: 'string', format: 'date-time' },
      sdkVersion: {
        type: 'string',
        description: 'Never set: what clients report is read with `cli analytics clients`.',
      },
    },
    required: ['id'],
  },
  EnvironmentsResponse: {
    type: 'object',
    properties: {
      environments: {
        type: 'object',
        properties: {
          live: { $ref: '#/components/schemas/ProjectEnvironment' },
          sandbox: { $ref: '#/components/schemas/ProjectEnvironment' },
        },
        required: ['live', 'sandbox'],
      },
    },
    required: ['environments'],
  },
};

/** Declares the settings object as the response; fields undeclared or write-only in its schema are not sent. */
export const ReturnsSettings = (): MethodDecorator =>
  ReturnsComponent('ProjectSettings', (value) => projectSettings(value as ProjectSettings));

/** The same for settings with a version, which is sent as a header. */
export const ReturnsVersionedSettings = (): MethodDecorator =>
  ReturnsComponent('ProjectSettings', (value) => projectSettings((value as VersionedSettings).settings), ETAG);

const shown = ({ id, settings, createdAt, updatedAt }: VersionedSettings): object => ({
  id,
  settings: projectSettings(settings),
  createdAt,
  updatedAt,
});

/** One environment, with its settings version as a header. */
export const ReturnsEnvironment = (): MethodDecorator =>
  ReturnsComponent('ProjectEnvironment', (value) => shown(value as VersionedSettings), ETAG);

/** Both environments of a project. */
export const ReturnsEnvironments = (): MethodDecorator =>
  ReturnsComponent('EnvironmentsResponse', (value) => {
    const { live, sandbox } = value as Record<'live' | 'sandbox', VersionedSettings>;
    return { environments: { live: shown(live), sandbox: shown(sandbox) } };
  });
