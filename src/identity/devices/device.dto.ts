import { BooleanField, DateField, IntegerField, ListField, StringField } from '../../common/fields/index.js';

export class DeviceRegistration {
  @StringField()
  id!: string;

  @BooleanField({ description: 'Whether this session is of the device.' })
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
  @BooleanField({ description: 'Whether the device of this session is among those forgotten.' })
  currentDeviceRevoked!: boolean;
}
