import { OwnProfileController } from '../flows/own-profile.controller.js';
import { OwnProfile } from '../flows/own-profile.service.js';
import { Captcha } from '../flows/captcha.js';
import { EmailLinksRepository } from '../flows/email-links.repository.js';
import { LinkFlow } from '../flows/link.flow.js';
import { RefreshFlow } from '../flows/refresh.flow.js';
import { SessionAnswer } from '../flows/session-answer.js';
import { SessionTermsReader } from '../flows/session-terms.js';
import { SignInChecks } from '../flows/sign-in-checks.js';
import { SignInFlow } from '../flows/sign-in.flow.js';
import { SignOutFlow } from '../flows/sign-out.flow.js';
import { UsernamesRepository } from '../flows/usernames.repository.js';
import { CodeDestination } from '../methods/email-code/code-destination.entity.js';
import { EmailCodeSignIn } from '../methods/email-code/email-code-sign-in.service.js';
import { EmailCodesRepository } from '../methods/email-code/email-codes.repository.js';
import { CodeMails } from '../methods/email-code/code-mails.js';
import { EmailCodes } from '../methods/email-code/email-codes.service.js';
import { EmailVerification } from '../methods/email-code/email-verification.entity.js';
import { EmailVerificationsController } from '../methods/email-code/email-verifications.controller.js';
import { FailureReset } from '../methods/email-code/failure-reset.js';
import { PepperRepository } from '../methods/email-code/pepper.repository.js';
import { Pepper } from '../methods/email-code/pepper.js';
import { EmailCodesPurge } from '../methods/email-code/email-codes-purge.job.js';
import { SealedPepper } from '../methods/email-code/sealed-pepper.js';
import { ConsoleSessionStrategy } from './console-session.strategy.js';
import { CookieGuard } from './cookie-guard.js';
import { EndUserStrategy } from './end-user.strategy.js';
import { SessionAuthenticator } from './session-authenticator.js';
import { LiveSessions } from './live-sessions.js';
import { SessionIssuer } from './session-issuer.js';
import { TokenSigner } from './token-signer.js';
import { SessionTokens } from './session-tokens.js';
import { Session } from './session.entity.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';

/** Sign-in as parts of the identity module: sessions, the flows that lead to them, and the methods of proof. */
export const SESSION_ENTITIES = [Session, EmailVerification, CodeDestination];

export const SESSION_CONTROLLERS = [SessionsController, OwnProfileController, EmailVerificationsController];

export const SESSION_PROVIDERS = [
  SessionsRepository,
  LiveSessions,
  SessionIssuer,
  SessionTokens,
  TokenSigner,
  SessionAuthenticator,
  CookieGuard,
  EndUserStrategy,
  ConsoleSessionStrategy,
  SessionTermsReader,
  Captcha,
  SignInChecks,
  SignInFlow,
  LinkFlow,
  EmailLinksRepository,
  RefreshFlow,
  SignOutFlow,
  SessionAnswer,
  OwnProfile,
  UsernamesRepository,
  PepperRepository,
  Pepper,
  EmailCodesPurge,
  SealedPepper,
  EmailCodesRepository,
  CodeMails,
  EmailCodes,
  EmailCodeSignIn,
  FailureReset,
];
