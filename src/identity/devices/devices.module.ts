import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { AssuranceModule } from '../assurance/assurance.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { ConfirmedDevices } from './confirmed-devices.js';
import { DeviceConfirmation } from './device-confirmation.entity.js';
import { DeviceConfirmationsPurge } from './device-confirmations-purge.job.js';
import { DeviceConfirmationsRepository } from './device-confirmations.repository.js';
import { DeviceMails } from './device-mails.js';
import { DeviceRegistrationRow } from './device-registration.entity.js';
import { DeviceRegistrations } from './device-registration.service.js';
import { DeviceRegistrationsRepository } from './device-registrations.repository.js';
import { DeviceRequirement } from './device.requirement.js';
import { DeviceSessions } from './device-sessions.js';
import { DevicesController } from './devices.controller.js';
import { Devices } from './devices.service.js';

/** The devices of users, and the confirmation of new ones by email if an environment requires it. */
@Module({
  imports: [
    AssuranceModule,
    EnvironmentsModule,
    FlowsModule,
    NoticesModule,
    ProvidersModule,
    SessionsModule,
    TypeOrmModule.forFeature([DeviceRegistrationRow, DeviceConfirmation]),
    UsersModule,
  ],
  controllers: [DevicesController],
  providers: [
    ConfirmedDevices,
    DeviceConfirmationsPurge,
    DeviceConfirmationsRepository,
    DeviceMails,
    DeviceRegistrations,
    DeviceRegistrationsRepository,
    DeviceRequirement,
    DeviceSessions,
    Devices,
  ],
})
export class DevicesModule {}
