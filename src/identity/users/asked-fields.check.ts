import { Injectable } from '@nestjs/common';
import {
  SettingsCheck,
  SettingsChecks,
  type EnvironmentSettings,
  type FieldProblem,
} from '../../environments/index.js';
import { isProfileField } from './missing-fields.js';

/**
 * Reports a standard field that no profile has, such as a misspelt one: nobody would be asked for it. A field of the type
 * custom has none of the rules that a custom field has, and nothing would check what users supply.
 */
@Injectable()
export class AskedFieldsCheck extends SettingsCheck {
  constructor(checks: SettingsChecks) {
    super();
    checks.register(this);
  }

  /** Identified by name, so that a field that moves within its list stays the same. */
  override problemsIn({ kyc }: EnvironmentSettings): FieldProblem[] {
    return kyc
      .filter(({ name, type, enabled }) => enabled && (type === 'custom' || !isProfileField(name)))
      .map(({ name, type }) => ({
        path: 'kyc',
        message:
          type === 'custom'
            ? `${name} is not a standard field: create a custom field`
            : `profiles have no field ${name}: create a custom field`,
      }));
  }
}
