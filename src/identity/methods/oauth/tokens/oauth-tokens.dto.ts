import { StringField } from '../../../../common/fields/index.js';

export class UserOauthAccessTokenResponse {
  @StringField({ min: 1, description: 'For calls to the provider on behalf of the user. Do not store it.' })
  accessToken!: string;
}
