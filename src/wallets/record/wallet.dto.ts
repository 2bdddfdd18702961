import { IntegerField, ListField, UuidField } from '../../common/fields/index.js';
import { UserWallet } from '../../identity/index.js';

/** A wallet in events: with the user it belongs to. */
export class WalletPayload extends UserWallet {
  @UuidField()
  userId!: string;
}

/** A wallet that passed to another user, with the previous user. */
export class WalletTransferPayload extends WalletPayload {
  @UuidField({ description: 'The previous owner.' })
  fromUserId!: string;
}

export class UserWalletsResponse {
  @IntegerField()
  count!: number;

  @ListField(() => UserWallet)
  wallets!: UserWallet[];
}
