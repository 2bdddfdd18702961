import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import {
  keyActorOf,
  parseKeygenShares,
  parseSigningShares,
  thresholdAccount,
  thresholdCurve,
  ThresholdKeys,
  type Ceremony,
  type ThresholdChain,
} from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { RoomsService } from '../rooms/rooms.service.js';
import type { KeygenSubject } from '../rooms/room-subjects.js';
import type { TakenRoom } from '../rooms/rooms.repository.js';
import { chainOfShares } from '../chains.js';
import type { CreateWaasAccountRequest, OpenedKeygen } from './ceremony.dto.js';
import { clientKeysOf } from './keygen-ids.js';

/** The only address type supported for Bitcoin keys. */
const TAPROOT = 'taproot';

/** Keys generated jointly by a user and the service. The wallet is created once both have proved their shares. */
@Injectable()
export class KeygenService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keys: ThresholdKeys,
    private readonly wallets: ThresholdWallets,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * @throws ApiError threshold_chain_not_offered, validation_failed unless there is a public key for each of the user's
   *   participants, too_many_wallets, and what `RoomsService.begin` refuses
   */
  async open(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    request: CreateWaasAccountRequest,
  ): Promise<OpenedKeygen> {
    const chain = chainOfShares(request.chain);
    assertAddressType(chain, request.addressType);
    const scheme = request.thresholdSignatureScheme ?? 'TWO_OF_TWO';
    const named = await clientKeysOf(request.clientKeygenIds, scheme);
    if ('problem' in named) throw refused('clientKeygenIds', `clientKeygenIds ${named.problem}`);
    const clientKeys = named.keys;
    await this.wallets.assertRoomForOne(environmentId, userId);
    const walletId = newId();
    const curve = thresholdCurve(chain);
    let serverKeygenIds: string[] = [];
    const wanted = { userId, sessionId, type: 'full', roomId: null, walletId: null, scheme } as const;
    const roomId = await this.rooms.begin(environmentId, wanted, async (id) => {
      const begun = await this.keys.signer.beginKeygen({ environmentId, userId, roomId: id }, { curve, scheme });
      const { state, keygenIds, packages } = begun;
      serverKeygenIds = keygenIds;
      const subject = { chain, keysId: newId(), clientKeys } satisfies KeygenSubject;
      const message = { type: 'keygen.commitments', scheme, packages };
      return { kind: 'keygen', walletId, scheme, subject, digest: null, state, message };
    });
    return { roomId, serverKeygenIds, walletId };
  }

  /** @throws CeremonyFault, ApiError */
  async answer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    room: TakenRoom<'keygen'>,
    sent: Record<string, unknown>,
  ): Promise<void> {
    const ceremony = { environmentId, userId: caller.userId, roomId: room.id };
    if (room.subject.publicKey === undefined) await this.makeKey(ceremony, room, sent);
    else await this.proveKey(ceremony, caller, room, sent);
  }

  private async makeKey(ceremony: Ceremony, room: TakenRoom<'keygen'>, sent: Record<string, unknown>): Promise<void> {
    const { environmentId, userId } = ceremony;
    const { scheme, sealedState, walletId, subject } = room;
    const clientKeys = subject.clientKeys.map((key) => Uint8Array.from(Buffer.from(key, 'hex')));
    const parties = { curve: thresholdCurve(subject.chain), scheme, clientKeys };
    const made = await this.keys.signer.makeKey(ceremony, sealedState, parties, parseKeygenShares(sent));
    const account = thresholdAccount(subject.chain, made.public);
    await this.wallets.assertAdmitted(environmentId, userId, account.address);
    const { shares, commitments, state } = made;
    const message = { type: 'keygen.key', shares, commitments, ...account, walletId };
    await this.work.run(async (tx) => {
      await this.rooms.goOn(environmentId, room, { subject: { ...subject, ...account }, state }, tx);
      await this.rooms.answer(environmentId, room, sent, message, tx);
    });
  }

  private async proveKey(
    ceremony: Ceremony,
    caller: EndUserPrincipal,
    room: TakenRoom<'keygen'>,
    sent: Record<string, unknown>,
  ): Promise<void> {
    const { environmentId, userId, roomId } = ceremony;
    const { scheme, sealedState, walletId } = room;
    const { chain, keysId, publicKey, address } = room.subject;
    const proof = { message: proofText(roomId, publicKey!), sent: parseSigningShares(sent) };
    const proved = await this.keys.signer.proveKey(ceremony, sealedState, keysId, proof);
    const signature = proved.signature.toString('hex');
    const account = { chain, address: address!, publicKey: publicKey! };
    await this.work.run(async (tx) => {
      const made = { reason: `key generation ${roomId}`, claimed: true };
      const wallet = { userId, walletId, keysId, scheme, account, ...made };
      const keep = (): Promise<void> =>
        this.keys.store(ceremony, { keysId, scheme, shares: proved.public, kept: proved.kept }, tx);
      await this.wallets.make(environmentId, wallet, { actor: keyActorOf(caller), keep }, tx);
      await this.rooms.done(environmentId, roomId, tx);
      await this.rooms.answer(environmentId, room, sent, { type: 'keygen.done', signature, walletId, address }, tx);
    });
  }
}

/** Signed by both sides to prove that they have their shares. Not a transaction of any chain. */
const proofText = (roomId: string, publicKey: string): Buffer =>
  Buffer.from(`gatehouse/keygen-proof/v1|${roomId}|${publicKey}`);

/** @throws ApiError validation_failed */
function assertAddressType(chain: ThresholdChain, type: string | undefined): void {
  if (type === undefined || (chain === 'BTC' && type === TAPROOT)) return;
  const meant = chain === 'BTC' ? `a wallet with a shared key is ${TAPROOT}` : 'a wallet on this chain has one address';
  throw refused('addressType', meant);
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
