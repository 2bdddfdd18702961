import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import type { EnvironmentId } from '../../../database/index.js';
import { OriginPolicy } from '../../../environments/index.js';
import { EvmSignatures, evmAddressOf } from '../../messages/evm-signatures.js';
import { invalidSignInMessage, invalidWalletSignature } from '../../messages/message.errors.js';
import { originOf, problemOf } from '../../messages/message-rules.js';
import { parseSignInMessage } from '../../messages/sign-in-message.js';
import { CustodyRegistry } from './custody-registry.js';
import { readFrameMessage, REGISTRY_NETWORK } from './frame-message.js';
import type { FrameappSignInRequest } from './frame.dto.js';
import { frameCustodyRefused } from './frame.errors.js';

export type FrameAnswer = Pick<FrameappSignInRequest, 'address' | 'domain' | 'nonce' | 'message' | 'signature'>;

/** Checks a message from its format to the chain; checks that need a node request come last. */
@Injectable()
export class FrameMessages {
  constructor(
    private readonly origins: OriginPolicy,
    private readonly signatures: EvmSignatures,
    private readonly registry: CustodyRegistry,
    private readonly clock: Clock,
  ) {}

  /** The account whose custody address signed. @throws ApiError 422 with the reason, 503 if the chain is unavailable */
  async prove(environmentId: EnvironmentId, answer: FrameAnswer, { origin }: ClientOrigin): Promise<string> {
    const { message: text, signature } = answer;
    const address = evmAddressOf(answer.address);
    if (address === null) throw invalidSignInMessage({ hint: '`address` is not an address with its checksum.' });
    const message = parseSignInMessage(text);
    const terms = { now: this.clock.now(), account: 'Ethereum', address, addressOf: evmAddressOf, origin };
    const problem = problemOf(message, terms);
    if (problem !== null) throw invalidSignInMessage({ hint: problem });
    const reading = readFrameMessage(message, answer);
    if ('problem' in reading) throw invalidSignInMessage({ hint: reading.problem });
    if (!(await this.origins.allows(environmentId, originOf(message.uri)!)))
      throw invalidSignInMessage({ hint: 'The domain is not a registered origin of the environment.' });
    const signed = { environmentId, address, text, signature, networkId: REGISTRY_NETWORK };
    if (!(await this.signatures.verify(signed))) throw invalidWalletSignature();
    const { fid } = reading;
    if (!(await this.registry.holds(environmentId, address, fid))) throw frameCustodyRefused();
    return fid;
  }
}
