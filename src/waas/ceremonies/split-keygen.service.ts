import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { newId } from '../../common/ids.js';
import { keyActorOf, parseSplitDeal, splitAccount, SplitKeys } from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { RoomsService } from '../rooms/rooms.service.js';
import type { SplitKeygenSubject } from '../rooms/room-subjects.js';
import type { TakenSplitRoom } from '../rooms/rooms.repository.js';
import type { CreateWaasAccountRequest, OpenedKeygen } from './ceremony.dto.js';
import { clientKeysOf } from './keygen-ids.js';

/** Keys made and split by a device. The wallet is created once the service has verified and stored its shares. */
@Injectable()
export class SplitKeygenService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keys: SplitKeys,
    private readonly wallets: ThresholdWallets,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * @throws ApiError validation_failed unless there is a public key for each of the user's participants,
   *   too_many_wallets, and what `RoomsService.begin` refuses
   */
  async open(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    request: CreateWaasAccountRequest,
  ): Promise<OpenedKeygen> {
    if (request.addressType !== undefined) throw refused('addressType', 'a wallet on this chain has one address');
    const scheme = request.thresholdSignatureScheme ?? 'TWO_OF_TWO';
    const named = await clientKeysOf(request.clientKeygenIds, scheme);
    if ('problem' in named) throw refused('clientKeygenIds', `clientKeygenIds ${named.problem}`);
    await this.wallets.assertRoomForOne(environmentId, userId);
    const walletId = newId();
    let serverKeygenIds: string[] = [];
    const wanted = { userId, sessionId, type: 'full', roomId: null, walletId: null, scheme } as const;
    const roomId = await this.rooms.begin(environmentId, wanted, async (id) => {
      const { state, keygenIds } = await this.keys.signer.beginKeygen({ environmentId, userId, roomId: id }, scheme);
      serverKeygenIds = keygenIds;
      const subject = { protocol: 'SHAMIR', keysId: newId() } satisfies SplitKeygenSubject;
      const message = { type: 'split.keygen', scheme };
      return { kind: 'keygen', walletId, scheme, subject, digest: null, state, message };
    });
    return { roomId, serverKeygenIds, walletId };
  }

  /** @throws CeremonyFault, ApiError */
  async answer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    room: TakenSplitRoom<'keygen'>,
    sent: Record<string, unknown>,
  ): Promise<null> {
    const { userId } = caller;
    const { id: roomId, scheme, sealedState, walletId } = room;
    const { keysId } = room.subject;
    const ceremony = { environmentId, userId, roomId };
    const deal = parseSplitDeal(sent);
    const taken = await this.keys.signer.takeShares(ceremony, sealedState, { scheme, keysId }, deal);
    const account = splitAccount(taken.public);
    const { address } = account;
    await this.wallets.assertAdmitted(environmentId, userId, address);
    await this.work.run(async (tx) => {
      const made = { reason: `key generation ${roomId}`, claimed: true };
      const wallet = { userId, walletId, keysId, scheme, account, ...made };
      const keep = (): Promise<void> =>
        this.keys.store(ceremony, { keysId, scheme, shares: taken.public, kept: taken.kept }, tx);
      await this.wallets.make(environmentId, wallet, { actor: keyActorOf(caller), keep }, tx);
      await this.rooms.done(environmentId, roomId, tx);
      await this.rooms.answer(environmentId, room, sent, { type: 'split.done', walletId, address }, tx);
    });
    return null;
  }
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
