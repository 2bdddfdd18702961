import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { SignInMethod, SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { passkeyAmr } from './passkey.method.js';
import { passkeyChallengeInvalid, passkeyKnown } from './passkey.errors.js';
import { PasskeysRepository } from './passkeys.repository.js';
import type { AttestationAnswer } from './verify-attestation.js';

/** A new passkey, created for a challenge kept by the caller. */
export interface RecoveredPasskey {
  readonly attestation: AttestationAnswer;
  readonly transports: readonly string[];
  /** Known only to the person, and used up by `redeem`. */
  readonly challenge: string;
  readonly redeem: (tx: Transaction) => Promise<void>;
}

/** Replaces all of a user's passkeys with a new one: a user in recovery has lost them. Not a way to sign in. */
@Injectable()
export class PasskeyRecoveryMethod extends SignInMethod<never, RecoveredPasskey> implements OnModuleInit {
  readonly name = 'passkey-recovery';
  readonly proves = [] as const;

  constructor(
    private readonly ceremonies: PasskeyCeremonies,
    private readonly passkeys: PasskeysRepository,
    private readonly methods: SignInMethods,
    private readonly clock: Clock,
  ) {
    super();
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override prove(): Promise<Proof> {
    return Promise.reject(passkeyChallengeInvalid());
  }

  /** The user handle stays the same: authenticators and sign-ins identify the user by it. */
  override async link(
    environmentId: EnvironmentId,
    { attestation, transports, challenge, redeem }: RecoveredPasskey,
    { userId }: EndUserPrincipal,
    { userAgent }: ClientOrigin,
  ): Promise<Proof> {
    const [lost] = await this.passkeys.listOfUser(environmentId, userId);
    if (!lost) throw passkeyChallengeInvalid();
    const verified = await this.ceremonies.attestationUnder(environmentId, challenge, attestation);
    const { userHandle } = lost;
    const made = { ...verified, userHandle, id: newId(), userAgent, transports: [...transports] };
    const identifier = { kind: 'passkey', value: verified.credentialId } as const;
    return {
      identifiers: [{ identifier, strength: 'proven', credential: { id: made.id } }],
      assurance: { amr: passkeyAmr(verified.backupEligible), factor: 'possession', at: this.clock.now() },
      redeem: async (tx) => {
        await this.passkeys.removeAll(environmentId, userId, tx);
        await redeem(tx);
        if ((await this.passkeys.add(environmentId, userId, made, tx)) !== 'added') throw passkeyKnown();
      },
    };
  }
}
