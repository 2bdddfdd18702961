import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { VerifiedCredential } from '../../credentials/verified-credential.dto.js';
import type { CredentialFormat } from '../../vocabulary/users.js';
import type { Proof } from './proof.js';

/**
 * A way to prove one's identity: one folder of `methods/`, or of another context, and one module. Its controller passes
 * the client's input to a flow, and the flow calls the method; so no method can skip a captcha, a limit or a rule.
 *
 * `Answer` is the proof a client sends to sign in, `Linking` the one a signed-in user sends to link the identifier.
 */
export abstract class SignInMethod<Answer = unknown, Linking = Answer> {
  /** Unique name, such as `email-code`. */
  abstract readonly name: string;

  /** The credential formats that it can prove again. */
  abstract readonly proves: readonly CredentialFormat[];

  /**
   * Checks an answer before the transaction begins. Attempts are counted first and stay counted; users are not looked
   * up, so that known and unknown identifiers cannot be told apart.
   */
  abstract prove(environmentId: EnvironmentId, answer: Answer, client: ClientOrigin): Promise<Proof>;

  /** The same for a signed-in user. */
  abstract link(
    environmentId: EnvironmentId,
    answer: Linking,
    caller: EndUserPrincipal,
    client: ClientOrigin,
  ): Promise<Proof>;

  /**
   * Whether a credential of a format in `proves` can give a fresh proof in the environment: the method is enabled there,
   * and its operations take `requestedScopes`.
   */
  canElevate(_environmentId: EnvironmentId, _credential: ElevatingCredential): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** The name by which people know a credential of a format in `proves`, if it has one. */
  labelOf(_environmentId: EnvironmentId, { public_identifier: label }: NamedCredential): Promise<string | undefined> {
    return Promise.resolve(label);
  }
}

/** What of a credential decides whether it can give a fresh proof. */
export type ElevatingCredential = Pick<
  VerifiedCredential,
  'format' | 'email' | 'phoneNumber' | 'phoneCountryCode' | 'oauth_provider' | 'oauth_connection_id'
>;

/** What of a credential names it. */
export type NamedCredential = Pick<VerifiedCredential, 'id' | 'format' | 'public_identifier'>;

/** A method that takes the same answer for linking as for sign-in. */
export abstract class OneAnswerMethod<Answer = unknown> extends SignInMethod<Answer> {
  override link(
    environmentId: EnvironmentId,
    answer: Answer,
    _caller: EndUserPrincipal,
    client: ClientOrigin,
  ): Promise<Proof> {
    return this.prove(environmentId, answer, client);
  }
}

/** The registered methods. Flows accept no others. */
@Injectable()
export class SignInMethods {
  private readonly methods = new Map<string, SignInMethod<never, never>>();

  register(method: SignInMethod<never, never>): void {
    if (this.methods.has(method.name)) throw new Error(`The sign-in method ${method.name} is there twice.`);
    this.methods.set(method.name, method);
  }

  /** @throws an Error for a method that its module has not registered */
  assertRegistered(method: SignInMethod<never, never>): void {
    if (this.methods.get(method.name) !== method)
      throw new Error(`${method.name} is not registered as a sign-in method.`);
  }

  /** The credential formats that allow sign-in. */
  get provenFormats(): CredentialFormat[] {
    return [...new Set([...this.methods.values()].flatMap(({ proves }) => proves))];
  }

  /** Whether a credential of this format can be proven again. */
  canProve(format: CredentialFormat): boolean {
    return this.thatProve(format).length > 0;
  }

  /** Whether a fresh proof can be given with the credential. */
  async canElevate(environmentId: EnvironmentId, credential: ElevatingCredential): Promise<boolean> {
    for (const method of this.thatProve(credential.format)) {
      if (await method.canElevate(environmentId, credential)) return true;
    }
    return false;
  }

  /** The name by which people know the credential. */
  async labelOf(environmentId: EnvironmentId, credential: NamedCredential): Promise<string | undefined> {
    return this.thatProve(credential.format)[0]?.labelOf(environmentId, credential);
  }

  private thatProve(format: CredentialFormat): SignInMethod<never, never>[] {
    return [...this.methods.values()].filter(({ proves }) => proves.includes(format));
  }
}
