import { EnumListField, type EnumValue } from '../../common/fields/index.js';
import { NamedUserRequest, WAAS_CHAINS } from '../../wallets/index.js';

export class CreateUserWaasWalletsRequest extends NamedUserRequest {
  @EnumListField(WAAS_CHAINS, {
    description: '`SVM`, `SUI`, `TON` or several of them: keys of other chains cannot be created in advance.',
    example: ['SVM'],
  })
  chains!: EnumValue<typeof WAAS_CHAINS>[];
}
