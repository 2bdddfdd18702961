import { BooleanField, DateField, StringField, UuidField } from '../../common/fields/index.js';

/** Whether an environment asks about the wallets of its users. */
export class ScreeningIntegration {
  @UuidField()
  id!: string;

  @BooleanField({ description: 'Whether wallets are compared with sanctions lists.' })
  sanctionsApiEnabled!: boolean;

  @BooleanField({ description: 'Always false: transactions are not looked at.' })
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

  @UuidField({ optional: true, description: 'Absent if nobody has the wallet, for example at a first sign-in.' })
  userId?: string;

  @StringField({ description: 'What the source says about the address.' })
  response!: string;
}
