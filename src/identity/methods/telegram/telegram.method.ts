import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import type { Proof } from '../../flows/proofs/proof.js';
import { SignInMethod, SignInMethods } from '../../flows/proofs/sign-in-method.js';
import { UserIdentities } from '../../users/user-identities.js';
import { TelegramLogins, type LoginAnswer } from './telegram-logins.service.js';
import { telegramAccountUnknown } from './telegram.errors.js';

/** As for every account vouched for by a third party; RFC 8176 has no name for it. */
const TELEGRAM_AMR = 'fed';
export const TELEGRAM = 'telegram';

export interface TelegramAnswer extends LoginAnswer {
  /** Whether the account must already belong to a user. */
  mustBeKnown: boolean;
}

/** Proves an account at the messaging network, signed with the bot's token. */
@Injectable()
export class TelegramMethod extends SignInMethod<TelegramAnswer, LoginAnswer> implements OnModuleInit {
  readonly name = TELEGRAM;
  readonly proves = ['oauth'] as const;

  constructor(
    private readonly logins: TelegramLogins,
    private readonly identities: UserIdentities,
    private readonly methods: SignInMethods,
  ) {
    super();
  }

  /** The operations take no `requestedScopes`. */
  override canElevate(): Promise<boolean> {
    return Promise.resolve(false);
  }

  onModuleInit(): void {
    this.methods.register(this);
  }

  override async prove(environmentId: EnvironmentId, { mustBeKnown, ...answer }: TelegramAnswer): Promise<Proof> {
    const proof = await this.link(environmentId, answer);
    if (!mustBeKnown) return proof;
    const [{ identifier }] = proof.identifiers;
    // Checked after the account is proven, so that it reveals nothing to others.
    if (!(await this.identities.expect(environmentId, identifier))) throw telegramAccountUnknown();
    return {
      ...proof,
      redeem: async (tx) => {
        // The user may have been erased since, and would be created again.
        const claim = await this.identities.look(environmentId, identifier, tx);
        if (!claim?.userId && !claim?.candidates.length) throw telegramAccountUnknown();
        await proof.redeem(tx);
      },
    };
  }

  override async link(environmentId: EnvironmentId, answer: LoginAnswer): Promise<Proof> {
    const { login, use } = await this.logins.read(environmentId, answer);
    const { id, firstName, lastName, username, photoUrl } = login.account;
    return {
      identifiers: [
        {
          identifier: { kind: 'socialAccountId', provider: TELEGRAM, value: id },
          strength: 'proven',
          credential: {
            oauthUsername: username,
            oauthDisplayName: [firstName, lastName].filter((name) => name !== null).join(' ') || null,
            oauthAccountPhotos: photoUrl === null ? [] : [photoUrl],
          },
        },
      ],
      assurance: { amr: [TELEGRAM_AMR], factor: 'possession', at: login.signedAt },
      profile: { ...(firstName !== null && { firstName }), ...(lastName !== null && { lastName }) },
      redeem: use,
    };
  }
}
