import { ReturnsComponent } from '../common/http/operation.js';
import { projectSettings } from './settings/settings-schema.js';
import type { ProjectSettings } from './settings/settings.types.js';

/** Declares the settings object as the result: what its schema does not declare, or marks as write-only, stays inside. */
export const ReturnsSettings = (): MethodDecorator =>
  ReturnsComponent('ProjectSettings', (value) => projectSettings(value as ProjectSettings));
