import { EnumListField, type EnumValue } from '../../common/fields/index.js';
import { NamedUserRequest, WAAS_CHAINS } from '../../wallets/index.js';

export class CreateUserWaasWalletsRequest extends NamedUserRequest {
  @EnumListField(WAAS_CHAINS, {
    description: 'One or more of `SVM`, `SUI` and `TON`: keys for other chains cannot be created ahead of time.',
    example: ['SVM'],
  })
  chains!: EnumValue<typeof WAAS_CHAINS>[];
}
