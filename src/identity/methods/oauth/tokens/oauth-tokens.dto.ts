import { StringField } from '../../../../common/fields/index.js';

export class UserOauthAccessTokenResponse {
  @StringField({ min: 1, description: 'For calls to the provider in the name of the person. Not to be kept.' })
  accessToken!: string;
}
