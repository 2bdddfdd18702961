import { EnumListField, type EnumValue } from '../../common/fields/index.js';
import { NamedUserRequest, WAAS_CHAINS } from '../../wallets/index.js';

export class CreateUserWaasWalletsRequest extends NamedUserRequest {
  @EnumListField(WAAS_CHAINS, {
    description: '`SVM`, `SUI`, `TON` or several of them: keys of the others are not made ahead.',
    example: ['SVM'],
  })
  chains!: EnumValue<typeof WAAS_CHAINS>[];
}
