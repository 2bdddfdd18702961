import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { CredentialFormat } from '../../vocabulary/users.js';
import type { Proof } from './proof.js';

/**
 * A way to prove who one is: one folder of `methods/`, or of another context, and one module. Its controller hands what
 * a client sent to a flow, and the flow asks the method; so no method can leave out a captcha, a limit or a rule.
 *
 * `Answer` is what a client sends as proof, `Linking` the same where a signed-in user ties the identifier to themselves.
 */
export abstract class SignInMethod<Answer = unknown, Linking = Answer> {
  /** Names it among the methods, such as `email-code`. */
  abstract readonly name: string;

  /** The credentials of a user that it can prove anew. */
  abstract readonly proves: readonly CredentialFormat[];

  /**
   * Checks an answer before the transaction begins. Tries are counted first and stay counted; nothing about users is
   * looked at, so that known and unknown identifiers cannot be told apart.
   */
  abstract prove(environmentId: EnvironmentId, answer: Answer, client: ClientOrigin): Promise<Proof>;

  /** The same for the user who is signed in. */
  abstract link(
    environmentId: EnvironmentId,
    answer: Linking,
    caller: EndUserPrincipal,
    client: ClientOrigin,
  ): Promise<Proof>;
}

/** A method to which a user who is signed in answers as anybody does who signs in. */
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

/** The methods that there are. A flow goes on with no other. */
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

  /** The formats of credentials by which a user can sign in. */
  get provenFormats(): CredentialFormat[] {
    return [...new Set([...this.methods.values()].flatMap(({ proves }) => proves))];
  }

  /** Whether a user can prove a credential of this format anew. */
  canProve(format: CredentialFormat): boolean {
    return [...this.methods.values()].some(({ proves }) => proves.includes(format));
  }
}
