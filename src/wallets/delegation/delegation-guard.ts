import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  effectsOf,
  networkFeeOf,
  SigningPolicies,
  SigningPolicy,
  type SigningCharge,
  type SigningQuestion,
} from '../../custody/index.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { judgeAccess } from './delegated-access.js';
import { beyondDelegatedAccess, noDelegatedAccess } from './delegated-access.errors.js';
import { WalletDelegationsRepository } from './wallet-delegations.repository.js';

const refused = (reason: string): Error => beyondDelegatedAccess({ payload: { reason } });

/**
 * Keeps signatures made without the user within the user's grant as it stands at that moment. It judges the bytes to be
 * signed, as does the environment's policy, which also applies. The daily amount is charged once neither refuses and
 * before the signature is made, so that concurrent calls cannot exceed the cap.
 */
@Injectable()
export class DelegationGuard extends SigningPolicy implements OnModuleInit {
  constructor(
    private readonly delegations: WalletDelegationsRepository,
    private readonly policies: SigningPolicies,
    private readonly wallets: HeldWalletsRepository,
  ) {
    super();
  }

  onModuleInit(): void {
    this.policies.register(this);
  }

  /** @throws ApiError no_delegated_access, beyond_delegated_access */
  override async authorize(question: SigningQuestion): Promise<SigningCharge | null> {
    const { environmentId, walletId, actor, request, chain, networkId } = question;
    if (actor.type === 'user') return null;
    const given = await this.delegations.findLive(environmentId, walletId);
    if (!given) throw noDelegatedAccess();
    const { id, access, spentToday } = given;
    if (!access.kinds.includes(request.kind)) throw refused(`the kind ${request.kind} is not allowed`);
    // A message moves nothing that could be counted: the only control is whether messages are allowed.
    if (request.kind === 'message') return null;
    const effects = effectsOf(question, request);
    const fee = networkFeeOf(question, request);
    const judgement = judgeAccess(access, { chain, networkId, kind: request.kind, effects, fee }, BigInt(spentToday));
    if (!judgement.isAllowed) throw refused(judgement.reason);
    if (!judgement.charge) return null;
    const charge = { walletId, id, ...judgement.charge };
    return async (tx) => {
      this.wallets.pin(environmentId, walletId, tx);
      const hasRoom = await this.delegations.charge(environmentId, charge, tx);
      if (!hasRoom) throw refused('it exceeds what is allowed for the day');
    };
  }
}
