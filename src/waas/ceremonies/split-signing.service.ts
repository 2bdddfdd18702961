import { Injectable } from '@nestjs/common';
import { base58 } from '@scure/base';
import type { EndUserPrincipal } from '../../auth/index.js';
import { ApiError, notFound } from '../../common/errors/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import {
  CeremonyFault,
  kemOf,
  KeyLedger,
  keyActorOf,
  parseSplitKey,
  parseSplitSignature,
  releaseDigest,
  SplitKeys,
  splitUse,
  type SigningRequest,
  type SplitWallet,
} from '../../custody/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ThresholdWallets } from '../../wallets/index.js';
import { RoomsService } from '../rooms/rooms.service.js';
import type { SplitSigningSubject } from '../rooms/room-subjects.js';
import type { TakenSplitRoom } from '../rooms/rooms.repository.js';
import { ceremonyAborted, keySharesChanged } from '../waas.errors.js';
import { signedEvent } from '../waas.events.js';
import type { OpenRoomResponse, SignMessageWithWaasRequest } from './ceremony.dto.js';
import { declaredEvmRequest, evmRequestOf, keptEvmRequest } from './declared-evm-request.js';
import { UNANSWERED_RELEASE } from './unanswered-releases.job.js';

const RELEASED = 'released';
const WALLET_WENT = 'the wallet went away before its signature came';

/** The service's message, if it is for this one response only and not stored in the room. */
export type OneTimeMessage = Readonly<Record<string, unknown>> | null;

/**
 * Signatures with keys that are whole on the user's device while it signs. Once a request has been parsed, judged and
 * counted, the service's shares leave, sealed for it; the device is trusted to sign nothing else and to forget the key.
 */
@Injectable()
export class SplitSigningService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keys: SplitKeys,
    private readonly wallets: ThresholdWallets,
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws ApiError not_found, validation_failed, what `SplitKeys.admit` and `RoomsService.begin` refuse */
  async open(
    wallet: SplitWallet,
    caller: EndUserPrincipal,
    body: SignMessageWithWaasRequest,
  ): Promise<OpenRoomResponse> {
    const { environmentId, userId, walletId, keysId, address } = wallet;
    const request = declaredEvmRequest(body);
    const { scheme, generation } = await this.keys.get(wallet);
    const { sessionId } = caller;
    const by = { userId, sessionId, walletId };
    const wanted = { ...by, type: 'threshold', scheme: null, roomId: body.roomId ?? null } as const;
    let opening: Record<string, unknown> = {};
    const roomId = await this.rooms.begin(environmentId, wanted, async (id, assertRoom) => {
      // An admitted request counts towards the policy's limits, so whatever else could refuse it comes first.
      await assertRoom();
      const digest = await this.keys.admit(wallet, request, keyActorOf(caller), (read) =>
        assertDeclared(body, request, read),
      );
      opening = { type: 'split.signing', digest: digest.toString('hex'), generation };
      const state = await this.keys.signer.beginSigning({ environmentId, userId, roomId: id }, digest);
      const about = { request: keptEvmRequest(request), generation, keysId, address, released: false };
      const subject = { protocol: 'SHAMIR', ...about } satisfies SplitSigningSubject;
      return { kind: 'sign', walletId, scheme, subject, digest, state, message: opening };
    });
    return { roomId, walletId, opening };
  }

  /** @throws CeremonyFault, ApiError not_found when the wallet was removed meanwhile, key_shares_changed */
  async answer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    room: TakenSplitRoom<'sign'>,
    sent: Record<string, unknown>,
  ): Promise<OneTimeMessage> {
    const wallet = await this.wallets.findSplit(environmentId, caller.userId, room.walletId);
    if (!wallet) throw await this.withoutWallet(environmentId, caller, room);
    const request = evmRequestOf(room.subject.request);
    if (room.subject.released)
      return this.recordingRefusals(wallet, caller, { room, request }, () =>
        this.complete(wallet, caller, { room, request }, sent),
      );
    const { keygenId } = parseSplitKey(sent);
    return this.recordingRefusals(wallet, caller, { room, request }, () =>
      this.release(wallet, caller, { room, request, keygenId }, sent),
    );
  }

  /** Records the refusal of an admitted request in the ledger. */
  private async recordingRefusals<T>(
    wallet: SplitWallet,
    caller: EndUserPrincipal,
    { room: { digest }, request }: TakenSigning,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const verdict = verdictOf(error);
      const use = verdict && splitUse(wallet, request.kind, { actor: keyActorOf(caller), digest, verdict });
      if (use) await this.ledger.recordAlone(wallet.environmentId, use);
      throw error;
    }
  }

  private async release(
    wallet: SplitWallet,
    caller: EndUserPrincipal,
    { room, request, keygenId }: TakenSigning & { readonly keygenId: string },
    sent: Record<string, unknown>,
  ): Promise<OneTimeMessage> {
    const { environmentId, userId } = wallet;
    if ((await kemOf(base58.decode(keygenId))) !== 'X25519')
      throw new CeremonyFault('keygenId is no public key of X25519', 1);
    const { subject } = room;
    const { generation } = subject;
    const ceremony = { environmentId, userId, roomId: room.id };
    const actor = keyActorOf(caller);
    const asked = { state: room.sealedState, generation, request, keygenId };
    const made = await this.keys.release(ceremony, wallet, asked);
    if (!made) throw keySharesChanged();
    const { shares, digest } = made;
    const state = await this.keys.signer.beginSigning(ceremony, digest);
    const message = { type: 'split.shares', generation };
    await this.work.run(async (tx) => {
      if (!(await this.wallets.hold(wallet, tx))) throw notFound();
      // A refresh was completed meanwhile: no share of the old generation may leave after it.
      if ((await this.keys.hold(wallet, tx)).generation !== generation) throw keySharesChanged();
      await this.rooms.goOn(environmentId, room, { subject: { ...subject, released: true }, state }, tx);
      // The shares are in this one response only: a reader of the room learns no more than that they left.
      await this.rooms.answer(environmentId, room, sent, message, tx);
      const use = splitUse(wallet, request.kind, { actor, digest, verdict: RELEASED });
      const released = { ...use.subject, recipient: keygenId, shares: releaseDigest(shares).toString('hex') };
      this.ledger.record(environmentId, { ...use, subject: released }, tx);
    });
    return { ...message, shares };
  }

  /** Records an admitted request in the ledger although its wallet was removed; released shares count as unanswered. */
  private async withoutWallet(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, subject, digest }: TakenSplitRoom<'sign'>,
  ): Promise<Error> {
    const { keysId, address, request, released } = subject;
    const refusal = released ? new CeremonyFault(WALLET_WENT, 1) : notFound();
    const wallet = { userId: caller.userId, walletId, keysId, chain: 'EVM', address } as const;
    const verdict = released ? UNANSWERED_RELEASE : verdictOf(refusal)!;
    const use = { actor: keyActorOf(caller), digest, verdict };
    await this.ledger.recordAlone(environmentId, splitUse(wallet, request.kind, use));
    return refusal;
  }

  private async complete(
    wallet: SplitWallet,
    caller: EndUserPrincipal,
    { room, request }: TakenSigning,
    sent: Record<string, unknown>,
  ): Promise<null> {
    const { environmentId, userId, walletId, chain } = wallet;
    const actor = keyActorOf(caller);
    const { kind } = request;
    const { signed, digest } = await this.keys.complete(wallet, request, parseSplitSignature(sent));
    await this.work.run(async (tx) => {
      if (!(await this.wallets.hold(wallet, tx))) throw new CeremonyFault(WALLET_WENT, 1);
      await this.rooms.done(environmentId, room.id, tx);
      await this.rooms.answer(environmentId, room, sent, { type: 'split.signed', signed }, tx);
      this.ledger.record(environmentId, splitUse(wallet, kind, { actor, digest, verdict: 'allowed' }), tx);
      const payload = { id: walletId, userId, chain, digest: digest.toString('hex'), kind };
      await this.outbox.append(environmentId, [signedEvent(payload)], tx);
    });
    return null;
  }
}

/** @throws ApiError validation_failed */
function assertDeclared({ message }: SignMessageWithWaasRequest, { kind }: SigningRequest, digest: Buffer): void {
  if (kind === 'typedData' && message.toLowerCase() !== `0x${digest.toString('hex')}`)
    throw invalidFields([{ field: 'message', message: 'message must be the EIP-712 hash of the typed data' }]);
}

interface TakenSigning {
  readonly room: TakenSplitRoom<'sign'>;
  readonly request: SigningRequest;
}

const verdictOf = (error: unknown): string | null => {
  if (error instanceof CeremonyFault) return ceremonyAborted().code;
  return error instanceof ApiError ? error.code : null;
};
