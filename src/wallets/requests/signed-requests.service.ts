import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentSettingsReader, firstKeySeconds } from '../../environments/index.js';
import { noHdWalletFound, signedRequestRefused } from '../record/wallet.errors.js';
import type { KeyvaultSignedRequest } from './key-request.dto.js';
import { jsonOf, readStamp } from './request-stamp.js';
import type { KeySet } from './request-bodies.js';
import { SignedRequestsRepository } from './signed-requests.repository.js';

/** A request is valid from a minute before its timestamp, since clocks differ, to a minute after. */
const MAX_AGE_MS = 60_000;
/** Longest accepted body, in characters. */
const MAX_BODY = 16_384;
/** Used requests are remembered for longer than they could be valid. */
const REMEMBERED_SECONDS = 300;

/** A request of the expected type, signed by its session. */
export interface StampedRequest {
  readonly keys: KeySet;
  readonly parameters: Record<string, unknown>;
  /** Digest of the body, for the ledger. */
  readonly digest: Buffer;
  /** Uses up the request, in the transaction that carries it out. @throws ApiError signed_request_refused */
  use(tx: Transaction): Promise<void>;
}

/** Requests that users sign with their session's key, for actions that a stolen token alone must not allow. */
@Injectable()
export class SignedRequests {
  constructor(
    private readonly requests: SignedRequestsRepository,
    private readonly settings: EnvironmentSettingsReader,
    private readonly clock: Clock,
  ) {}

  /** The keys of the seed, or else the first keys of the user. @throws ApiError no_hd_wallet_found */
  async keysOf(environmentId: EnvironmentId, { userId }: EndUserPrincipal): Promise<KeySet> {
    const keys = await this.requests.findKeySet(environmentId, userId);
    if (!keys) throw noHdWalletFound();
    return keys;
  }

  /** @throws ApiError signed_request_refused, no_hd_wallet_found */
  async verify(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    signed: KeyvaultSignedRequest,
    expectedType: string,
  ): Promise<StampedRequest> {
    const stamp = signed.body.length <= MAX_BODY ? readStamp(signed) : null;
    if (!stamp) throw refused('the stamp is not a signature of a P-256 key over the body');
    const settings = await this.settings.get(environmentId);
    const asked = { publicKey: stamp.publicKey, firstKeySeconds: firstKeySeconds(settings) };
    const key = await this.requests.findSessionKey(environmentId, caller, asked);
    if (!key) throw refused('the key is not one of this session');
    if (key.isMailed && settings.sdk.embeddedWallets?.emailRecoveryEnabled === false) {
      throw refused('the key came by mail, which the team has turned off since');
    }
    const { organizationId, parameters, timestampMs, type } = jsonOf(signed.body);
    if (type !== expectedType) throw refused(`the type is not ${expectedType}`);
    const age = Math.abs(this.clock.timestamp() - Number(timestampMs));
    if (!(age <= MAX_AGE_MS)) throw refused('it is older than a minute');
    const keys = await this.keysOf(environmentId, caller);
    if (organizationId !== keys.organizationId) throw refused('the organization is not the one of the keys');
    return {
      keys,
      parameters: jsonOf(JSON.stringify(parameters ?? null)),
      digest: stamp.digest,
      use: async (tx) => {
        if (!(await this.requests.use(environmentId, stamp.digest, REMEMBERED_SECONDS, tx))) {
          throw refused('it was carried out before');
        }
      },
    };
  }
}

const refused = (reason: string): Error => signedRequestRefused({ payload: { reason } });
