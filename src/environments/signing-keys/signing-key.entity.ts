import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** `next` is published ahead of its use, `current` signs, `previous` verifies what it has signed until that expires. */
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

  /** The master key that its data key is wrapped under, so that a rotation finds what it has left to do. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** When it stopped signing. */
  @Column({ type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;
}
