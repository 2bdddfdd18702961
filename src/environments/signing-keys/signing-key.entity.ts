import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** `next` is published ahead of use, `current` signs, `previous` verifies its signatures until they expire. */
export type SigningKeyStatus = 'current' | 'next' | 'previous';

/** A key pair that signs the tokens of an environment. Its id is the `kid`. */
@Entity('signing_keys')
@Index('signing_keys_one_each', ['environmentId', 'status'], { unique: true, where: "status <> 'previous'" })
@Check('signing_keys_status', "status IN ('current', 'next', 'previous')")
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'signing_keys_environment', onDelete: 'CASCADE' })
export class SigningKey extends EnvironmentEntity {
  @Column({ type: 'text' })
  status!: SigningKeyStatus;

  /** SPKI in PEM. */
  @Column({ type: 'text' })
  publicKey!: string;

  /** PKCS #8 in DER, sealed. */
  @Column({ type: 'bytea' })
  sealedPrivateKey!: Buffer;

  /** The master key that wraps its data key, so that a rotation finds the remaining rows. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** When it stopped signing. */
  @Column({ type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;
}
