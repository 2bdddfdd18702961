import { BooleanField, DateField, StringField, UuidField } from '../../common/fields/index.js';

/** Whether an environment screens its users' wallets. */
export class ScreeningIntegration {
  @UuidField()
  id!: string;

  @BooleanField({ description: 'Whether wallets are checked against sanctions lists.' })
  sanctionsApiEnabled!: boolean;

  @BooleanField({ description: 'Always false: transactions are not screened.' })
  kytApiEnabled!: boolean;

  @UuidField()
  projectEnvironmentId!: string;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;
}

/** A wallet that was refused. */
export class RefusedWallet {
  @StringField({ max: 255 })
  walletPublicKey!: string;

  @UuidField({ optional: true, description: 'Absent if no user has the wallet, as at a first sign-in.' })
  userId?: string;

  @StringField({ description: "The source's answer about the address." })
  response!: string;
}
