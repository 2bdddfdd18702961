import {
  createSplitWallet,
  signSplit,
  SplitGeneration,
  type OpenedSplit,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { fromHex, joined, utf8 } from '../../clients/custody/src/encoding.js';
import { newReceiver, seal } from '../../clients/custody/src/sealing.js';
import { messageDigest, signDigest, splitKey } from '../../clients/custody/src/split/split-key.js';
import type { Answer } from './client.js';
import { rowsOf } from './rows.js';
import { roomsOf } from './shared-wallet.js';
import { newEmail, type SignedIn, type World } from './world.js';

export type Scheme = 'TWO_OF_TWO' | 'TWO_OF_THREE' | 'THREE_OF_FIVE';
export interface SplitAnswer {
  roomId: string;
  serverKeygenIds: string[];
  walletId: string;
  state: string;
  code?: string;
  payload?: { reason?: string; party?: number; state?: string };
  messages: { sequence: number; sender: string; message: Record<string, unknown> }[];
}
interface LedgerRow {
  operation: string;
  verdict: string;
  digest: Buffer | null;
  subject: Record<string, unknown>;
}

/** A message for when its content does not matter. */
export const TEXT = 'I agree.';
export const DIGEST = messageDigest(Buffer.from(TEXT));

/** Split-key wallets of an environment's users. */
export class SplitWallets {
  private constructor(
    readonly world: World,
    readonly owner: SignedIn,
  ) {}

  static async of(world: World): Promise<SplitWallets> {
    return new SplitWallets(world, await world.signIn(newEmail()));
  }

  waas(path: string, body: object, token = this.owner.jwt, headers?: Record<string, string>) {
    return this.world.anonymous.post<SplitAnswer>(this.world.sdk(`/waas/${path}`), body, { token, headers });
  }

  read(roomId: string, token = this.owner.jwt): Promise<Answer<SplitAnswer>> {
    return this.world.anonymous.get<SplitAnswer>(this.world.sdk(`/waas/rooms/${roomId}/messages`), { token });
  }

  post(roomId: string, message: object, token = this.owner.jwt): Promise<Answer<SplitAnswer>> {
    return this.waas(`rooms/${roomId}/messages`, { message }, token);
  }

  someone(): Promise<SignedIn> {
    return this.world.signIn(newEmail());
  }

  async openKeygen(
    scheme: Scheme = 'TWO_OF_TWO',
    person = this.owner,
  ): Promise<{ generation: SplitGeneration; opened: OpenedSplit }> {
    const generation = await SplitGeneration.begin(scheme);
    const request = { chain: 'EVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: scheme };
    return { generation, opened: opened(await this.waas('create', request, person.jwt)) };
  }

  async make(scheme: Scheme = 'TWO_OF_TWO', person = this.owner): Promise<ShareSet> {
    const { generation, opened: room } = await this.openKeygen(scheme, person);
    const rooms = roomsOf(this.world, person.jwt);
    return createSplitWallet(rooms, this.world.environmentId, generation, room, () => Promise.resolve());
  }

  /** The same for a key that the device had before, by `TWO_OF_TWO`. */
  async deal(key: Uint8Array, person = this.owner): Promise<Answer<SplitAnswer>> {
    const { opened: room } = await this.openKeygen('TWO_OF_TWO', person);
    const { environmentId } = this.world;
    const { publicShares, shares } = splitKey(key, 'TWO_OF_TWO');
    const { commitments } = publicShares;
    const { id: to, share } = shares[1]!;
    const info = utf8(['split/v1', environmentId, room.roomId, to].join('|'));
    const aad = joined(...commitments.map(fromHex));
    const sealed = { to, ...(await seal(room.serverKeygenIds![0]!, fromHex(share), info, aad)) };
    const proof = ['gatehouse/split-proof/v1', environmentId, room.roomId, 'TWO_OF_TWO', ...commitments].join('|');
    const signature = signDigest(messageDigest(utf8(proof)), key);
    return this.post(room.roomId, { type: 'split.deal', commitments, shares: [sealed], signature }, person.jwt);
  }

  /** Opens a room for signing a message. */
  async begin(shares: ShareSet, body: object = { message: TEXT }, person = this.owner): Promise<string> {
    return opened(await this.waas(`${shares.walletId}/signMessage`, body, person.jwt)).roomId;
  }

  async askForKey(): Promise<{ type: string; keygenId: string }> {
    return { type: 'split.key', keygenId: (await newReceiver()).keygenId };
  }

  /** Signs {@link TEXT} with a device's share, in a room of its own. */
  async sign(shares: ShareSet, person = this.owner) {
    const roomId = await this.begin(shares, { message: TEXT }, person);
    return signSplit(roomsOf(this.world, person.jwt), this.world.environmentId, shares, DIGEST, roomId);
  }

  ledgerOf(walletId: string): Promise<LedgerRow[]> {
    return rowsOf<LedgerRow>(
      this.world.test,
      `SELECT operation, verdict, digest, subject FROM key_ledger
       WHERE environment_id = $1 AND subject->>'walletId' = $2 ORDER BY sequence`,
      [this.world.environmentId, walletId],
    );
  }

  async verdictsOf(walletId: string): Promise<string[]> {
    return (await this.ledgerOf(walletId)).map(({ verdict }) => verdict);
  }
}

/** @throws unless the call succeeded */
function opened({ status, body }: Answer<SplitAnswer>): SplitAnswer {
  if (status !== 200) throw new Error(`No room was opened: ${status} ${body.code}.`);
  return body;
}
