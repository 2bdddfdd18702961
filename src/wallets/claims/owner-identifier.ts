import { invalidFields } from '../../common/http/validation.pipe.js';
import type { Identifier } from '../../identity/index.js';
import { isSocialProvider } from '../../providers/index.js';
import type { CreateUserEmbeddedWalletsFromFrameappRequest, NamedUserRequest } from '../record/embedded-wallet.dto.js';

const MAX_LENGTH = 255;

const FRAME_NETWORK = 'farcaster';

/** @throws ApiError validation_failed when a field required by the type is missing or does not fit it */
export function identifierOf(request: NamedUserRequest): Identifier {
  const { type: kind, smsCountryCode, socialProvider } = request;
  const value = request.identifier.trim();
  if (value === '' || value.length > MAX_LENGTH) {
    throw refused('identifier', `identifier must have 1 to ${MAX_LENGTH} characters`);
  }
  switch (kind) {
    case 'phoneNumber':
      if (!smsCountryCode) throw refused('smsCountryCode', `smsCountryCode is required with type ${kind}`);
      return { kind, value, country: { ...smsCountryCode } };
    case 'socialAccountId':
    case 'socialUsername':
      if (!socialProvider) throw refused('socialProvider', `socialProvider is required with type ${kind}`);
      // Nobody could ever claim the wallet, nor what is sent to it.
      if (!isSocialProvider(socialProvider)) {
        throw refused('socialProvider', `socialProvider must be a provider with accounts, not ${socialProvider}`);
      }
      return { kind, value, provider: socialProvider };
    case 'email':
    case 'id':
    case 'externalUserId':
      return { kind, value };
  }
}

/** A user of the frame network: the account there, and the email known to the frame server. */
export interface FrameUser {
  readonly account: Identifier & { readonly provider: string };
  readonly email: Identifier;
}

/** @throws ApiError validation_failed unless the fid is a positive integer and the email at most 255 characters long */
export function frameUserOf({ email, fid }: CreateUserEmbeddedWalletsFromFrameappRequest): FrameUser {
  if (!Number.isSafeInteger(fid) || fid < 1) throw refused('fid', 'fid must be a positive integer');
  if (email.length > MAX_LENGTH) throw refused('email', `email must have at most ${MAX_LENGTH} characters`);
  return {
    account: { kind: 'socialAccountId', value: String(fid), provider: FRAME_NETWORK },
    email: { kind: 'email', value: email },
  };
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
