import { Injectable } from '@nestjs/common';
import { getAddress, isAddress, isHex, type Address, type Hex } from 'viem';
import { Clock } from '../../common/clock.js';
import { notFound, validationFailed } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { answerHash, encodedAnswer, questionOf } from './gateway-messages.js';
import type { GatewayAnswer } from './name-service.dto.js';
import { NameServicesRepository } from './name-services.repository.js';
import { NameSignerKeys } from './name-signer-keys.js';
import { WalletNamesRepository } from './wallet-names.repository.js';

/** How long an answer is valid, and so how long a name may resolve to its previous owner. */
const GOOD_FOR_SECONDS = 300;
const MOST_DATA = 4_096;

/** Answers on-chain resolvers about off-chain names (ERC-3668). */
@Injectable()
export class NameGateway {
  constructor(
    private readonly services: NameServicesRepository,
    private readonly names: WalletNamesRepository,
    private readonly keys: NameSignerKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws notFound where no names are issued or the name is in another domain, validationFailed */
  async answer(environmentId: EnvironmentId, sender: string, callData: string): Promise<GatewayAnswer> {
    const request = callData.replace(/\.json$/, '').toLowerCase() as Hex;
    const resolver = sender.toLowerCase() as Address;
    if (!isAddress(resolver)) throw malformed('sender', 'must be an address of EVM');
    const question = isHex(request) && request.length <= MOST_DATA ? questionOf(request) : null;
    if (!question) throw malformed('callData', 'must be a call of resolve(bytes,bytes) that asks for addr or text');
    const service = await this.services.find(environmentId, { chain: 'EVM' });
    if (!service?.enabledAt || !service.sealedKey) throw notFound();
    const { id, domain, sealedKey } = service;
    const isOwn = question.name === domain || question.name.endsWith(`.${domain}`);
    if (!isOwn) throw notFound();
    const handle = question.name.slice(0, -domain.length - 1);
    const address = handle === '' ? null : await this.names.resolve(environmentId, id, handle);
    // As stated when the wallet was attached: the checksum may be wrong.
    const result = question.answer(address === null ? null : getAddress(address));
    const expires = BigInt(Math.floor(this.clock.timestamp() / 1000) + GOOD_FOR_SECONDS);
    const signature = await this.keys.sign(
      { environmentId, id, sealedKey },
      answerHash(resolver, expires, request, result),
    );
    return { data: encodedAnswer(result, expires, signature) };
  }
}

const malformed = (field: string, message: string): Error =>
  validationFailed({ payload: { fields: [{ field, message: `${field} ${message}` }] } });
