import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../../environments/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { AssuranceModule } from '../assurance/assurance.module.js';
import { CustomFieldsModule } from '../custom-fields/custom-fields.module.js';
import { NoncesModule } from '../nonces/nonces.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../users/users.module.js';
import { Admissions } from './admissions.js';
import { CaptchaController } from './captcha.controller.js';
import { Captcha } from './captcha.js';
import { ContactChanges } from './contact-changes.js';
import { ContactChecks } from './contact-check.js';
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
    EnvironmentsModule,
    ProvidersModule,
    AssuranceModule,
    CustomFieldsModule,
    NoncesModule,
    UsersModule,
    SessionsModule,
  ],
  controllers: [CaptchaController, SessionsController, OwnProfileController, StepUpController],
  providers: [
    Admissions,
    Captcha,
    ContactChanges,
    ContactChecks,
    LinkFlow,
    OwnProfile,
    ProfileStore,
    ProofOfWork,
    ProofOwners,
    RefreshFlow,
    SessionAnswer,
    SessionTermsReader,
    SignInChecks,
    SignInDoor,
    SignInEffects,
    SignInFlow,
    SignInMethods,
    SignOutFlow,
    StepUpChecks,
    UsernamesRepository,
  ],
  exports: [Captcha, ContactChecks, LinkFlow, SessionAnswer, SignInChecks, SignInEffects, SignInFlow, SignInMethods],
})
export class FlowsModule {}
