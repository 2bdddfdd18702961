import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { SignInMethod, SignInMethods, type NamedCredential } from '../../flows/proofs/sign-in-method.js';
import type { PasskeyAuthRequest, PasskeyRegisterRequest } from './passkey-answer.dto.js';
import { PasskeyCeremonies, type Assertion } from './passkey-ceremonies.js';
import { maxPasskeysPerUser, passkeyCopied, passkeyKnown, passkeyNotFound } from './passkey.errors.js';
import { PasskeysRepository, type OwnPasskey } from './passkeys.repository.js';

/** A hardware key, or a software key that can be copied between devices, plus user verification (RFC 8176 §2). */
export const passkeyAmr = (backupEligible: boolean): string[] => [backupEligible ? 'swk' : 'hwk', 'user'];

/** Proves the holder of a passkey. An unregistered one proves nothing, so it never creates a user. */
@Injectable()
export class PasskeyMethod extends SignInMethod<PasskeyAuthRequest, PasskeyRegisterRequest> implements OnModuleInit {
  readonly name = 'passkey';
  readonly proves = ['passkey'] as const;

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

  override async prove(environmentId: EnvironmentId, answer: PasskeyAuthRequest): Promise<Proof> {
    return this.asserted(environmentId, answer.id, await this.ceremonies.assertion(environmentId, answer));
  }

  /** The same with a passkey of the signed-in user, for a challenge that was issued to them. */
  async proveOwn(environmentId: EnvironmentId, passkey: OwnPasskey, answer: PasskeyAuthRequest): Promise<Proof> {
    const find = () => Promise.resolve(passkey);
    const assertion = await this.ceremonies.assertionOf(environmentId, passkey.ownerId, answer, find);
    return this.asserted(environmentId, answer.id, assertion);
  }

  /** Adds a passkey to the signed-in user. */
  override async link(
    environmentId: EnvironmentId,
    answer: PasskeyRegisterRequest,
    { userId }: EndUserPrincipal,
    { userAgent }: ClientOrigin,
  ): Promise<Proof> {
    const attestation = await this.ceremonies.attestation(environmentId, userId, answer, 'register');
    const made = { ...attestation, id: newId(), userAgent, transports: answer.response.transports ?? [] };
    return this.proofOf(attestation.credentialId, made.id, attestation.backupEligible, async (tx) => {
      const added = await this.passkeys.add(environmentId, userId, made, tx);
      if (added === 'full') throw maxPasskeysPerUser();
      if (added === 'known') throw passkeyKnown();
    });
  }

  /** The id that identifies it means nothing to people. */
  override async labelOf(environmentId: EnvironmentId, { id }: NamedCredential): Promise<string | undefined> {
    return (await this.passkeys.find(environmentId, { id }))?.alias ?? undefined;
  }

  private asserted(
    environmentId: EnvironmentId,
    credentialId: string,
    { passkey, signCount, backedUp }: Assertion,
  ): Proof {
    const { id, backupEligible } = passkey;
    return this.proofOf(credentialId, id, backupEligible, async (tx) => {
      if (await this.passkeys.use(environmentId, id, { signCount, backedUp }, tx)) return;
      // If the user is being deleted, the passkey is missing rather than copied.
      throw (await this.passkeys.find(environmentId, { id }, tx)) ? passkeyCopied() : passkeyNotFound();
    });
  }

  private proofOf(
    credentialId: string,
    id: string,
    backupEligible: boolean,
    redeem: (tx: Transaction) => Promise<void>,
  ): Proof {
    const identifier = { kind: 'passkey', value: credentialId } as const;
    return {
      identifiers: [{ identifier, strength: 'proven', credential: { id } }],
      assurance: { amr: passkeyAmr(backupEligible), factor: 'possession', at: this.clock.now() },
      redeem,
    };
  }
}
