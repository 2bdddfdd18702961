import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../../environments/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { AssuranceModule } from '../assurance/assurance.module.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { LinkingModule } from '../linking/linking.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { CustomFieldsModule } from '../custom-fields/custom-fields.module.js';
import { NoncesModule } from '../nonces/nonces.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountGuards } from './proofs/account-guards.js';
import { Admissions } from './admission/admissions.js';
import { CaptchaController } from './captcha/captcha.controller.js';
import { Captcha } from './captcha/captcha.js';
import { ContactChanges } from './profile/contact-changes.js';
import { ContactChecks } from './profile/contact-check.js';
import { CredentialTies } from './proofs/credential-ties.js';
import { AdmittedChanges } from './admission/admitted-changes.js';
import { CredentialTransfers } from './link/credential-transfers.js';
import { Meetings } from './proofs/meetings.js';
import { MergeOffers } from './proofs/merge-offers.js';
import { ProofsAnew } from './proofs/proofs-anew.js';
import { SessionReplacement } from './sessions/session-replacement.js';
import { TransferFlow } from './link/transfer.flow.js';
import { LinkFlow } from './link/link.flow.js';
import { OwnProfileController } from './profile/own-profile.controller.js';
import { OwnProfile } from './profile/own-profile.service.js';
import { ProfileStore } from './proofs/profile-store.js';
import { ProofOfWork } from './captcha/proof-of-work.js';
import { ProofOwners } from './proofs/proof-owners.js';
import { RefreshFlow } from './sessions/refresh.flow.js';
import { SessionAnswer } from './sessions/session-answer.js';
import { SessionTermsReader } from './sessions/session-terms.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignInChecks } from './admission/sign-in-checks.js';
import { SignInDoor } from './proofs/sign-in-door.js';
import { SignInEffects } from './admission/sign-in-effects.js';
import { SignInMethods } from './proofs/sign-in-method.js';
import { SignInFlow } from './sign-in/sign-in.flow.js';
import { SignOutFlow } from './sessions/sign-out.flow.js';
import { StepUpController } from './step-up/step-up.controller.js';
import { StepUpChecks } from './step-up/step-up.service.js';

/** What happens with a proof, whatever the method. */
@Module({
  imports: [
    AssuranceModule,
    CredentialsModule,
    CustomFieldsModule,
    EnvironmentsModule,
    LinkingModule,
    NoncesModule,
    NoticesModule,
    OrganizationsModule,
    ProvidersModule,
    SessionsModule,
    UsersModule,
  ],
  controllers: [CaptchaController, SessionsController, OwnProfileController, StepUpController],
  providers: [
    AccountGuards,
    Admissions,
    AdmittedChanges,
    Captcha,
    ContactChanges,
    ContactChecks,
    CredentialTies,
    CredentialTransfers,
    LinkFlow,
    Meetings,
    MergeOffers,
    OwnProfile,
    ProfileStore,
    ProofOfWork,
    ProofOwners,
    ProofsAnew,
    RefreshFlow,
    SessionAnswer,
    SessionReplacement,
    SessionTermsReader,
    SignInChecks,
    SignInDoor,
    SignInEffects,
    SignInFlow,
    SignInMethods,
    SignOutFlow,
    StepUpChecks,
    TransferFlow,
  ],
  exports: [
    AccountGuards,
    AdmittedChanges,
    Captcha,
    ContactChecks,
    LinkFlow,
    Meetings,
    MergeOffers,
    ProofsAnew,
    SessionAnswer,
    SessionReplacement,
    SignInChecks,
    SignInEffects,
    SignInFlow,
    SignInMethods,
    TransferFlow,
  ],
})
export class FlowsModule {}
