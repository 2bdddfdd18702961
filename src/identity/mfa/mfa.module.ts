import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { ActionFactors } from '../../auth/index.js';
import { AssuranceModule } from '../assurance/assurance.module.js';
import { CodesModule } from '../codes/codes.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { EmailCodeModule } from '../methods/email-code/email-code.module.js';
import { PasskeyModule } from '../methods/passkey/passkey.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SingleSignOnModule } from '../single-sign-on/single-sign-on.module.js';
import { UsersModule } from '../users/users.module.js';
import { ActionFactorCheck } from './action-factor-check.js';
import { DeviceRecord } from './device-record.js';
import { EmailAuthentication } from './email-authentication.service.js';
import { EnrolmentRight } from './enrolment-right.js';
import { FactorPasskeys } from './factor-passkeys.js';
import { FactorWaits } from './factor-waits.js';
import { MfaAuthController } from './mfa-auth.controller.js';
import { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaDevicesController } from './mfa-devices.controller.js';
import { MfaDevicesFacet } from './mfa-devices.facet.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaDevices } from './mfa-devices.service.js';
import { MfaPasskey } from './mfa-passkey.entity.js';
import { MfaPasskeysRepository } from './mfa-passkeys.repository.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaRecoveryCodes } from './mfa-recovery-codes.entity.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';
import { MfaRegistrationController } from './mfa-registration.controller.js';
import { MfaResetController } from './mfa-reset.controller.js';
import { MfaReset } from './mfa-reset.service.js';
import { MfaSession } from './mfa-session.js';
import { MfaStore } from './mfa-store.js';
import { MfaToken } from './mfa-token.entity.js';
import { MfaTokensPurge } from './mfa-tokens-purge.job.js';
import { MfaTokensRepository } from './mfa-tokens.repository.js';
import { MfaTokens } from './mfa-tokens.js';
import { PasskeyAuthentication } from './passkey-authentication.service.js';
import { PasskeyEnrolment } from './passkey-enrolment.service.js';
import { PasskeyFactorOptions } from './passkey-factor-options.js';
import { RecoveryAuthentication } from './recovery-authentication.service.js';
import { RecoveryCodesController } from './recovery-codes.controller.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import { RemovalRight } from './removal-right.js';
import { SealedTotpSecretsRepository } from './sealed-totp-secrets.repository.js';
import { SealedTotpSecrets } from './sealed-totp-secrets.js';
import { SecondFactorFlow } from './second-factor.flow.js';
import { SecondFactorRequirement } from './second-factor.requirement.js';
import { SignInPasskeys } from './sign-in-passkeys.service.js';
import { TotpAuthentication } from './totp-authentication.service.js';
import { TotpEnrolment } from './totp-enrolment.service.js';
import { TotpKeys } from './totp-keys.js';
import { TotpSecrets } from './totp-secrets.js';
import { VoidedCodes } from './voided-codes.js';

/** Users' second factors: TOTP devices, passkeys, emailed codes and recovery codes. */
@Module({
  imports: [
    AssuranceModule,
    CodesModule,
    CredentialsModule,
    EmailCodeModule,
    EnvironmentsModule,
    FlowsModule,
    NoticesModule,
    OrganizationsModule,
    PasskeyModule,
    ProvidersModule,
    SessionsModule,
    SingleSignOnModule,
    TypeOrmModule.forFeature([MfaDeviceRow, MfaPasskey, MfaRecoveryCodes, MfaToken]),
    UsersModule,
  ],
  // Fixed paths come before those with an id in the same place.
  controllers: [
    MfaRegistrationController,
    MfaAuthController,
    RecoveryCodesController,
    MfaDevicesController,
    MfaResetController,
  ],
  providers: [
    ActionFactorCheck,
    { provide: ActionFactors, useExisting: ActionFactorCheck },
    DeviceRecord,
    EmailAuthentication,
    EnrolmentRight,
    FactorPasskeys,
    FactorWaits,
    MfaDevices,
    MfaDevicesFacet,
    MfaDevicesRepository,
    MfaPasskeysRepository,
    MfaPolicy,
    MfaRecoveryCodesRepository,
    MfaReset,
    MfaSession,
    MfaStore,
    MfaTokens,
    MfaTokensPurge,
    MfaTokensRepository,
    PasskeyAuthentication,
    PasskeyEnrolment,
    PasskeyFactorOptions,
    RecoveryAuthentication,
    RecoveryCodes,
    RemovalRight,
    SealedTotpSecrets,
    SealedTotpSecretsRepository,
    SecondFactorFlow,
    SecondFactorRequirement,
    SignInPasskeys,
    TotpAuthentication,
    TotpEnrolment,
    TotpKeys,
    TotpSecrets,
    VoidedCodes,
  ],
  exports: [ActionFactors],
})
export class MfaModule {}
