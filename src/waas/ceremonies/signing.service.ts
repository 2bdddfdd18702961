import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import {
  CeremonyFault,
  KeyLedger,
  keyActorOf,
  parseSigningShares,
  signingUse,
  ThresholdKeys,
  verdictOn,
  type SharedWallet,
} from '../../custody/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { RoomsService } from '../rooms/rooms.service.js';
import type { TakenRoom } from '../rooms/rooms.repository.js';
import { ceremonyAborted, keySharesChanged } from '../waas.errors.js';
import { signedEvent } from '../waas.events.js';
import type { OpenRoomResponse, SignMessageWithWaasRequest } from './ceremony.dto.js';
import { declaredRequest, keptRequest, requestOf } from './declared-request.js';

/** Signatures made jointly by a user and the service. */
@Injectable()
export class SigningService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keys: ThresholdKeys,
    private readonly wallets: ThresholdWallets,
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Parses and judges what is to be signed, and sends the service's commitments: the room is then for that alone.
   *
   * @throws ApiError key_shares_dealt, what `ThresholdKeys.admit` and `RoomsService.begin` refuse
   */
  async open(
    wallet: SharedWallet,
    caller: EndUserPrincipal,
    body: SignMessageWithWaasRequest,
  ): Promise<OpenRoomResponse> {
    const { userId, sessionId } = caller;
    const { environmentId } = wallet;
    const request = declaredRequest(wallet, body);
    // Checked first: an admitted request counts towards the policy's limits, but dealt shares cannot sign.
    const { scheme, generation, publicShares, sealedShares } = await this.keys.getToSign(wallet);
    let opening: Record<string, unknown> = {};
    const wanted = { userId, sessionId, type: 'threshold', scheme: null } as const;
    const roomId = await this.rooms.begin(
      environmentId,
      { ...wanted, walletId: wallet.walletId, roomId: body.roomId ?? null },
      async (id, assertRoom) => {
        // An admitted request counts towards the policy's limits, so whatever else could refuse it comes first.
        await assertRoom();
        const { digest, schnorr } = await this.keys.admit(wallet, publicShares, request, keyActorOf(caller));
        const ceremony = { environmentId, userId, roomId: id };
        const keys = { ...wallet, shares: publicShares, sealed: sealedShares, generation };
        const begun = await this.keys.signer.beginSigning(ceremony, keys, schnorr.message);
        const message = {
          type: 'sign.commitments',
          message: schnorr.message.toString('base64url'),
          digest: digest.toString('hex'),
          generation,
          commitments: begun.commitments,
        };
        opening = message;
        const { walletId, keysId, chain, address } = wallet;
        const subject = { request: keptRequest(request), generation, key: { keysId, chain, address } };
        return { kind: 'sign', walletId, scheme, subject, digest, state: begun.state, message };
      },
    );
    return { roomId, walletId: wallet.walletId, opening };
  }

  /** @throws CeremonyFault, ApiError not_found when the wallet was removed meanwhile, key_shares_changed */
  async answer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    room: TakenRoom<'sign'>,
    sent: Record<string, unknown>,
  ): Promise<void> {
    const { userId } = caller;
    const request = requestOf(room.subject.request);
    const actor = keyActorOf(caller);
    const ceremony = { environmentId, userId, roomId: room.id };
    const { generation, key } = room.subject;
    const state = { state: room.sealedState, generation, request, sent: parseSigningShares(sent) };
    let used: SharedWallet | undefined = key && { environmentId, userId, walletId: room.walletId, ...key };
    let isAsked = false;
    try {
      const wallet = await this.wallets.get(environmentId, userId, room.walletId);
      used = wallet;
      isAsked = true;
      const made = await this.keys.sign(ceremony, wallet, state);
      isAsked = false;
      if (!made) throw keySharesChanged();
      const { shares, signed, digest } = made;
      await this.work.run(async (tx) => {
        if (!(await this.wallets.hold(wallet, tx))) throw notFound();
        // A refresh was completed meanwhile: no signature share of the old generation may leave after it.
        if ((await this.keys.hold(wallet, tx)).generation !== generation) throw keySharesChanged();
        await this.rooms.done(environmentId, room.id, tx);
        await this.rooms.answer(environmentId, room, sent, { type: 'sign.done', shares, signed }, tx);
        this.ledger.record(environmentId, signingUse(wallet, request, { actor, digest, verdict: 'allowed' }), tx);
        const { walletId, chain } = wallet;
        const payload = { id: walletId, userId, chain, digest: digest.toString('hex'), kind: request.kind };
        await this.outbox.append(environmentId, [signedEvent(payload)], tx);
      });
    } catch (error) {
      const verdict = error instanceof CeremonyFault ? ceremonyAborted().code : verdictOn(error, isAsked);
      if (verdict !== null && used) {
        const use = signingUse(used, request, { actor, digest: room.digest, verdict });
        await this.ledger.recordAlone(environmentId, use);
      }
      throw error;
    }
  }
}
