import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import {
  CeremonyFault,
  clientParties,
  keyActorOf,
  parseReshareShares,
  parseSigningShares,
  serverParties,
  ThresholdKeys,
  type ShareScheme,
  type WalletOfShares,
} from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { notFound } from '../../common/errors/index.js';
import { ThresholdWallets, type OpenRoomResponseWithServerKeygenIds } from '../../wallets/index.js';
import { RoomsService, type Opening } from '../rooms/rooms.service.js';
import type { ReshareSubject } from '../rooms/room-subjects.js';
import type { TakenRoom } from '../rooms/rooms.repository.js';
import { anotherScheme, keySharesChanged, reshareDelegatesNothing } from '../waas.errors.js';
import type { OpenRoomResponseForReshare, ReshareRequest } from './ceremony.dto.js';
import { clientKeysOf } from './keygen-ids.js';
import { ShareReplacement } from './share-replacement.js';
import { WholeKeys, type ReleaseRequest } from './whole-keys.js';

/** Ceremonies that replace shares. */
type ResharedRoom = TakenRoom<'refresh' | 'reshare'>;

interface Plan {
  readonly kind: 'refresh' | 'reshare';
  readonly wallet: WalletOfShares;
  readonly shares: Awaited<ReturnType<ThresholdKeys['get']>>;
  readonly scheme: ShareScheme;
  readonly clientKeys: readonly string[] | null;
}

/**
 * New shares of an unchanged key, in either protocol: nobody has the whole key meanwhile. They stay pending, sealed in
 * the room, until the new set has signed; then one statement replaces the old set. An earlier end changes nothing.
 */
@Injectable()
export class ReshareService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly keys: ThresholdKeys,
    private readonly wallets: ThresholdWallets,
    private readonly work: UnitOfWork,
    private readonly wholeKeys: WholeKeys,
    private readonly replacement: ShareReplacement,
  ) {}

  /** Keeps the scheme. @throws ApiError not_found, threshold_wallet_only, and what `begin` refuses */
  async refresh(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
  ): Promise<OpenRoomResponseWithServerKeygenIds> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    const shares = await this.keys.get(wallet);
    const plan = { kind: 'refresh', wallet, shares, scheme: shares.scheme, clientKeys: null } as const;
    const { roomId, keygenIds } = await this.begin(caller, plan);
    return { roomId, serverKeygenIds: keygenIds, walletId };
  }

  /**
   * @throws ApiError not_found, threshold_wallet_only, another_threshold_scheme, reshare_delegates_nothing,
   *   validation_failed unless there is a public key for each of the user's new participants, and what
   *   `WholeKeys.assertMayBegin` and `begin` refuse
   */
  async reshare(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { walletId, ...release }: { walletId: string } & ReleaseRequest,
    request: ReshareRequest,
  ): Promise<OpenRoomResponseForReshare> {
    const { oldThresholdSignatureScheme: old, newThresholdSignatureScheme: scheme } = request;
    if (request.delegateToProjectEnvironment || request.revokeDelegation) throw reshareDelegatesNothing();
    const wallet = await this.wallets.getAny(environmentId, caller.userId, walletId);
    const shares = await this.keys.get(wallet);
    if (shares.scheme !== old) throw anotherScheme({ payload: { scheme: shares.scheme } });
    const named = await clientKeysOf(request.clientKeygenIds, scheme);
    if ('problem' in named)
      throw invalidFields([{ field: 'clientKeygenIds', message: `clientKeygenIds ${named.problem}` }]);
    const change = { from: old, to: scheme };
    await this.wholeKeys.assertMayBegin(caller, wallet, change, release);
    const plan = { kind: 'reshare', wallet, shares, scheme, clientKeys: named.keys } as const;
    const { roomId, keygenIds } = await this.begin(caller, plan, (assertAll) =>
      this.wholeKeys.useProof(caller, wallet, change, release, assertAll),
    );
    await this.wholeKeys.begun(wallet, change, release);
    return {
      roomId,
      serverKeygenIds: keygenIds.slice(0, serverParties(old).length),
      newServerKeygenIds: keygenIds.slice(0, serverParties(scheme).length),
      walletId,
    };
  }

  /** @throws CeremonyFault, ApiError not_found, and what `ShareReplacement.put` refuses */
  async answer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    room: ResharedRoom,
    sent: Record<string, unknown>,
  ): Promise<void> {
    const wallet = await this.wallets.getAny(environmentId, caller.userId, room.walletId);
    if (room.subject.publicKey === undefined) await this.shareAnew(caller, wallet, room, sent);
    else await this.putInPlace(caller, wallet, room, sent);
  }

  /**
   * @param admit the last step before the ceremony is written, with every remaining check
   * @throws ApiError too_many_requests, too_many_rooms, ceremonies_locked, and what `admit` throws
   */
  private async begin(
    { userId, sessionId }: EndUserPrincipal,
    { kind, wallet, shares, scheme, clientKeys }: Plan,
    admit?: (assertAll: () => Promise<void>) => Promise<void>,
  ): Promise<{ roomId: string; keygenIds: string[] }> {
    const { environmentId, walletId } = wallet;
    const { generation, protocol, scheme: from, publicShares, sealedShares } = shares;
    let keygenIds: string[] = [];
    const wanted = { userId, sessionId, type: 'full', roomId: null, walletId, scheme: null } as const;
    const open = async (id: string, assertRoom: () => Promise<void>): Promise<Opening> => {
      const ceremony = { environmentId, userId, roomId: id };
      const keys = { ...wallet, protocol, shares: publicShares, sealed: sealedShares, generation };
      const begun = await this.keys.signer.beginReshare(ceremony, keys, { from, to: scheme });
      ({ keygenIds } = begun);
      await admit?.(assertRoom);
      const subject = { generation, clientKeys } satisfies ReshareSubject;
      const message = { type: 'reshare.commitments', generation, scheme, packages: begun.packages };
      return { kind, walletId, scheme, subject, digest: null, state: begun.state, message };
    };
    const roomId = await this.keys.reshare(wallet, () => this.rooms.begin(environmentId, wanted, open));
    return { roomId, keygenIds };
  }

  private async shareAnew(
    caller: EndUserPrincipal,
    wallet: WalletOfShares,
    room: ResharedRoom,
    sent: Record<string, unknown>,
  ): Promise<void> {
    const { environmentId, userId } = wallet;
    const { scheme, sealedState, subject } = room;
    const dealt = parseReshareShares(sent);
    const hex = await receiversOf(dealt.keygenIds, scheme, subject.clientKeys);
    const clientKeys = hex.map((key) => Uint8Array.from(Buffer.from(key, 'hex')));
    const { generation, protocol, scheme: from, publicShares, sealedShares } = await this.keys.get(wallet);
    if (generation !== subject.generation) throw keySharesChanged();
    const change = { from, to: scheme };
    await this.wholeKeys.assertMayLeave(caller, wallet, { ...change, roomId: room.id });
    const ceremony = { environmentId, userId, roomId: room.id };
    const keys = { ...wallet, protocol, shares: publicShares, sealed: sealedShares, generation };
    const anew = await this.keys.signer.shareAnew(ceremony, sealedState, keys, { scheme, clientKeys }, dealt);
    const publicKey = anew.public.commitments[0]!;
    const { shares, commitments, state } = anew;
    const message = { type: 'reshare.key', generation: generation + 1, shares, commitments, publicKey };
    await this.work.run(async (tx) => {
      if (!(await this.wallets.hold(wallet, tx))) throw notFound();
      await this.wholeKeys.leave(caller, wallet, { ...change, roomId: room.id, shares }, tx);
      await this.rooms.goOn(environmentId, room, { subject: { ...subject, publicKey }, state }, tx);
      await this.rooms.answer(environmentId, room, sent, message, tx);
    });
  }

  private async putInPlace(
    caller: EndUserPrincipal,
    wallet: WalletOfShares,
    room: ResharedRoom,
    sent: Record<string, unknown>,
  ): Promise<void> {
    const { environmentId, userId, keysId } = wallet;
    const { kind, scheme } = room;
    const { generation, publicKey } = room.subject;
    const ceremony = { environmentId, userId, roomId: room.id };
    const next = generation + 1;
    const proof = { message: proofText(room.id, publicKey!, next), sent: parseSigningShares(sent) };
    assertEveryoneProves(scheme, proof.sent.commitments);
    const proved = await this.keys.signer.proveKey(ceremony, room.sealedState, keysId, proof);
    const signature = proved.signature.toString('hex');
    const anew = { generation, scheme, shares: proved.public, kept: proved.kept };
    await this.work.run(async (tx) => {
      if (!(await this.wallets.holdAlone(wallet, tx))) throw notFound();
      const use = { actor: keyActorOf(caller), operation: kind } as const;
      await this.replacement.put(ceremony, wallet, anew, use, tx);
      await this.rooms.doneAlone(environmentId, caller, room, tx);
      const message = { type: 'reshare.done', generation: next, signature };
      await this.rooms.answer(environmentId, room, sent, message, tx);
    });
  }
}

/** Signed by both sides with the new shares, before the old ones are deleted. Not a transaction of any chain. */
const proofText = (roomId: string, publicKey: string, generation: number): Buffer =>
  Buffer.from(`gatehouse/reshare-proof/v1|${roomId}|${publicKey}|${generation}`);

/** @throws CeremonyFault unless they are keys of the user's participants, and match those in the request, if any */
async function receiversOf(
  keygenIds: readonly string[],
  scheme: ShareScheme,
  requested: readonly string[] | null,
): Promise<readonly string[]> {
  const named = await clientKeysOf(keygenIds, scheme);
  if ('problem' in named) throw new CeremonyFault(`keygenIds ${named.problem}`);
  if (requested && requested.join() !== named.keys.join())
    throw new CeremonyFault('keygenIds are not those that the room was opened with');
  return named.keys;
}

/** A share that was never received must be noticed before the old one is deleted. @throws CeremonyFault */
function assertEveryoneProves(scheme: ShareScheme, commitments: readonly { readonly id: number }[]): void {
  const missing = clientParties(scheme).find((id) => !commitments.some((one) => one.id === id));
  if (missing !== undefined) throw new CeremonyFault(`participant ${missing} does not prove its share`, missing);
}
