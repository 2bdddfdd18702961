import { BooleanField, DateField, IntegerField, ListField, StringField } from '../../common/fields/index.js';

export class DeviceRegistration {
  @StringField()
  id!: string;

  @BooleanField({ description: 'Whether it is the device of this session.' })
  isCurrentDevice!: boolean;

  @StringField({ optional: true, nullable: true, description: 'The browser that was confirmed.' })
  userAgent?: string | null;

  @DateField()
  createdAt!: Date;
}

export class DeviceRegistrationsResponse {
  @IntegerField()
  count!: number;

  @ListField(() => DeviceRegistration)
  deviceRegistrations!: DeviceRegistration[];
}

export class DeleteDeviceRegistrationResponse {
  @BooleanField({ description: 'Whether the device of this session is one of those forgotten.' })
  currentDeviceRevoked!: boolean;
}
