import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashMessage, isAddressEqual, isHex, recoverMessageAddress, type Address, type Hex } from 'viem';
import { createSiweMessage, SiweInvalidMessageFieldError } from 'viem/siwe';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import { causedBy, verdictOfContract } from '../../identity/index.js';
import { ChainUnreadableError, NeutralChainReader } from '../../networks/index.js';
import { DomainOwners, NAMES_NETWORK } from './domain-owners.js';
import { domainUnreadable, invalidNameProof, notDomainOwner } from './name-service.errors.js';
import { NameProofsRepository } from './name-proofs.repository.js';

/** `r`, `s` and the recovery byte in hex. */
const KEY_SIGNATURE_LENGTH = 132;

/** A domain and its supposed owner, both normalised. */
export interface OwnedDomain {
  chain: string;
  domain: string;
  address: Address;
}

/** Lets the owner of a domain sign that an environment may issue names below it. */
@Injectable()
export class DomainProofs {
  constructor(
    private readonly proofs: NameProofsRepository,
    private readonly owners: DomainOwners,
    private readonly chains: NeutralChainReader,
    private readonly clock: Clock,
  ) {}

  /** An EIP-4361 message, which wallets display as such. Null for a page that such messages cannot name. */
  async message(environmentId: EnvironmentId, owned: OwnedDomain, page: URL): Promise<string | null> {
    const message = messageOn(page, {
      address: owned.address,
      chainId: NAMES_NETWORK,
      nonce: randomBytes(16).toString('hex'),
      issuedAt: this.clock.now(),
      statement: `I own ${owned.domain} and let the environment ${environmentId} give out names below it.`,
    });
    if (message !== null) await this.proofs.keep(environmentId, owned, message);
    return message;
  }

  /** Uses up the message, whatever the result. @throws invalidNameProof, notDomainOwner, domainUnreadable */
  async verify(environmentId: EnvironmentId, owned: OwnedDomain, signature: string): Promise<void> {
    const message = await this.proofs.take(environmentId, owned);
    if (message === null) throw invalidNameProof();
    if (!(await this.isSigned(environmentId, owned.address, message, signature))) throw invalidNameProof();
    await this.assertOwner(environmentId, owned);
  }

  /** @throws notDomainOwner, domainUnreadable */
  async assertOwner(environmentId: EnvironmentId, { domain, address }: OwnedDomain): Promise<void> {
    if (!(await this.owners.isOwner(environmentId, domain, address))) throw notDomainOwner();
  }

  private async isSigned(
    environmentId: EnvironmentId,
    address: Address,
    message: string,
    signature: string,
  ): Promise<boolean> {
    if (!isHex(signature, { strict: true })) return false;
    if (signature.length === KEY_SIGNATURE_LENGTH && (await isOfKey(address, message, signature))) return true;
    if (signature === '0x' || signature.length % 2 === 1) return false;
    return this.isOfContract(environmentId, { address, hash: hashMessage(message), signature });
  }

  /** A contract that owns the domain verifies signatures itself; an unreadable chain proves nothing. */
  private async isOfContract(
    environmentId: EnvironmentId,
    signed: { address: Address; hash: Hex; signature: Hex },
  ): Promise<boolean> {
    try {
      const client = await this.chains.evmClient(environmentId, NAMES_NETWORK);
      return (await verdictOfContract(client, signed)) !== false;
    } catch (error) {
      if (causedBy(error, ChainUnreadableError)) throw domainUnreadable({ cause: error });
      throw error;
    }
  }
}

/** Null for hosts and characters that the library refuses, such as `http://intranet/` and a bar in the query. */
function messageOn(
  page: URL,
  about: Omit<Parameters<typeof createSiweMessage>[0], 'domain' | 'uri' | 'version'>,
): string | null {
  try {
    return createSiweMessage({ ...about, domain: page.host, uri: page.href, version: '1' });
  } catch (error) {
    if (error instanceof SiweInvalidMessageFieldError) return null;
    throw error;
  }
}

async function isOfKey(address: Address, message: string, signature: Hex): Promise<boolean> {
  try {
    return isAddressEqual(await recoverMessageAddress({ message, signature }), address);
  } catch {
    return false;
  }
}
