import type { OnModuleInit } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import type { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import type { Proof } from '../flows/proofs/proof.js';
import { OneAnswerMethod, type ElevatingCredential, type SignInMethods } from '../flows/proofs/sign-in-method.js';
import type { CodeChannel } from './code-channel.js';
import type { OneTimeCodes } from './one-time-codes.js';

export interface CodeAnswer {
  verificationUUID: string;
  verificationToken: string;
}

/** A correct code proves the address it was sent to, both at sign-in and when linking a new address. */
export abstract class CodeMethod extends OneAnswerMethod<CodeAnswer> implements OnModuleInit {
  abstract override readonly proves: readonly ['email'] | readonly ['phoneNumber'];
  /** A method name of RFC 8176 §2. */
  protected abstract readonly amr: string;

  protected constructor(
    readonly channel: CodeChannel,
    private readonly codes: OneTimeCodes,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  /** Whether a code would be sent to it. */
  override async canElevate(environmentId: EnvironmentId, credential: ElevatingCredential): Promise<boolean> {
    const { email, phoneNumber, phoneCountryCode } = credential;
    const address = email ?? `+${phoneCountryCode}${phoneNumber}`;
    try {
      await this.channel.assertReaches(environmentId, this.channel.normalise(address));
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  override async prove(
    environmentId: EnvironmentId,
    { verificationUUID: verificationId, verificationToken: code }: CodeAnswer,
    client: ClientOrigin,
  ): Promise<Proof> {
    const given = { verificationId, code };
    const { address, redeem, takeBack } = await this.codes.prove(environmentId, this.channel, given, client);
    const [kind] = this.proves;
    return {
      identifiers: [{ identifier: { kind, value: address }, strength: 'proven' }],
      assurance: { amr: [this.amr], factor: 'possession', at: this.clock.now() },
      redeem,
      takeBack,
    };
  }
}
