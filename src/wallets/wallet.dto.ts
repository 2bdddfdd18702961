import { IntegerField, ListField } from '../common/fields/index.js';
import { UserWallet } from '../identity/index.js';

export class UserWalletsResponse {
  @IntegerField()
  count!: number;

  @ListField(() => UserWallet)
  wallets!: UserWallet[];
}
