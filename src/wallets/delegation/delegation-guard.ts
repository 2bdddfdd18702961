import { Injectable, type OnModuleInit } from '@nestjs/common';
import { effectsOf, networkFeeOf, SigningPolicies, SigningPolicy, type SigningQuestion } from '../../custody/index.js';
import { UnitOfWork } from '../../database/index.js';
import { judgeAccess } from './delegated-access.js';
import { beyondDelegatedAccess, noDelegatedAccess } from './delegated-access.errors.js';
import { WalletDelegationsRepository } from './wallet-delegations.repository.js';

const refused = (reason: string): Error => beyondDelegatedAccess({ payload: { reason } });

/**
 * Keeps signatures that no user asks for within what the user has given, as it stands at that moment. It judges by the
 * bytes that are to be signed, like the policy of the environment, which is asked as well. What counts for the day is
 * taken before the signature is made, so that of many at once none exceeds it.
 */
@Injectable()
export class DelegationGuard extends SigningPolicy implements OnModuleInit {
  constructor(
    private readonly delegations: WalletDelegationsRepository,
    private readonly policies: SigningPolicies,
    private readonly work: UnitOfWork,
  ) {
    super();
  }

  onModuleInit(): void {
    this.policies.register(this);
  }

  /** @throws ApiError no_delegated_access, beyond_delegated_access */
  override async authorize(question: SigningQuestion): Promise<void> {
    const { environmentId, walletId, actor, request, chain, networkId } = question;
    if (actor.type === 'user') return;
    const given = await this.delegations.findLive(environmentId, walletId);
    if (!given) throw noDelegatedAccess();
    const { id, access, spentToday } = given;
    if (!access.kinds.includes(request.kind)) throw refused(`the kind ${request.kind} is not allowed`);
    // A message moves nothing that could be counted: allowing the kind is all that a user can say of it.
    if (request.kind === 'message') return;
    const effects = effectsOf(question, request);
    const fee = networkFeeOf(question, request);
    const judgement = judgeAccess(access, { chain, networkId, kind: request.kind, effects, fee }, BigInt(spentToday));
    if (!judgement.isAllowed) throw refused(judgement.reason);
    if (!judgement.charge) return;
    const charge = { walletId, id, ...judgement.charge };
    const hasRoom = await this.work.run((tx) => this.delegations.charge(environmentId, charge, tx));
    if (!hasRoom) throw refused('it exceeds what is allowed for the day');
  }
}
