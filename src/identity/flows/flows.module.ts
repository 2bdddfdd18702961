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
import { Admissions } from './admissions.js';
import { CaptchaController } from './captcha.controller.js';
import { Captcha } from './captcha.js';
import { ContactChanges } from './contact-changes.js';
import { ContactChecks } from './contact-check.js';
import { CredentialTies } from './credential-ties.js';
import { CredentialTransfers } from './credential-transfers.js';
import { Meetings } from './meetings.js';
import { MergeOffers } from './merge-offers.js';
import { ProofsAnew } from './proofs-anew.js';
import { SessionReplacement } from './session-replacement.js';
import { TransferFlow } from './transfer.flow.js';
import { LinkFlow } from './link.flow.js';
import { OwnProfileController } from './own-profile.controller.js';
import { OwnProfile } from './own-profile.service.js';
import { ProfileStore } from './profile-store.js';
import { ProofOfWork } from './proof-of-work.js';
import { ProofOwners } from './proof-owners.js';
import { RefreshFlow } from './refresh.flow.js';
import { SessionAnswer } from './session-answer.js';
import { SessionTermsReader } from './session-terms.js';
import { SessionsController } from './sessions.controller.js';
import { SignInChecks } from './sign-in-checks.js';
import { SignInDoor } from './sign-in-door.js';
import { SignInEffects } from './sign-in-effects.js';
import { SignInMethods } from './sign-in-method.js';
import { SignInFlow } from './sign-in.flow.js';
import { SignOutFlow } from './sign-out.flow.js';
import { StepUpController } from './step-up.controller.js';
import { StepUpChecks } from './step-up.service.js';
import { UsernamesRepository } from './usernames.repository.js';

/** What happens with a proof, whichever method it is of. */
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
    Admissions,
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
    UsernamesRepository,
  ],
  exports: [
    Captcha,
    ContactChecks,
    LinkFlow,
    Meetings,
    MergeOffers,
    SessionAnswer,
    SessionReplacement,
    SignInChecks,
    SignInEffects,
    SignInFlow,
    SignInMethods,
    TransferFlow,
    UsernamesRepository,
  ],
})
export class FlowsModule {}
