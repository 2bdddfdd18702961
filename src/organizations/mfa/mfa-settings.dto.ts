import { DateField, EnumField, ListField, defineEnum, type EnumValue } from '../../common/fields/index.js';

export const MFA_DEVICE_TYPES = defineEnum('MfaDeviceType', ['totp', 'passkey', 'email']);
export type MfaDeviceType = EnumValue<typeof MFA_DEVICE_TYPES>;

export class OrganizationMfaSettings {
  @DateField({ optional: true, nullable: true, description: 'Since when members may use it; null if they may not.' })
  enabledAt?: Date | null;

  @EnumField(MFA_DEVICE_TYPES)
  mfaDeviceType!: MfaDeviceType;
}

export class OrganizationMfaSettingsResponse {
  @ListField(() => OrganizationMfaSettings, { optional: true })
  mfaSettings?: OrganizationMfaSettings[];
}
