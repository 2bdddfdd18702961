import type { FROST } from '@noble/curves/abstract/frost.js';
import { CeremonyFault } from './ceremony-fault.js';
import { bytesOf, hexOf, shownShares, type PublicShares, type SecretShare } from './frost.js';
import { clientParties, partiesOf, serverParties, signersOf, type ShareScheme } from './schemes.js';
import { assertSubShare, openSubShare, sealSubShare, type Exchange } from './sub-shares.js';
import { identifierOf, suiteOf, type Curve } from './suites.js';
import type { KeygenShares, Round1Package, SealedShare } from './wire.js';

/** What the service keeps about its participants between rounds. All of it is secret. */
export interface KeygenSecrets {
  readonly parties: readonly {
    readonly id: number;
    /** The 32-byte secret of the key pair that shares are sealed to. */
    readonly receiver: string;
    readonly coefficients: readonly string[];
    readonly commitment: readonly string[];
  }[];
  /** The packages of all of the service's participants, as sent. */
  readonly packages: readonly Round1Package[];
}

/** The ceremony and its participants. */
export interface Keygen extends Omit<Exchange, 'label'> {
  readonly scheme: ShareScheme;
}

/**
 * Distributed key generation, round 1 (figure 1 of the FROST paper, as in `@noble/curves`): for each of the service's
 * participants a polynomial, commitments to its coefficients, and a proof of knowledge of the constant one.
 */
export function beginKeygen(curve: Curve, scheme: ShareScheme, receivers: readonly Uint8Array[]): KeygenSecrets {
  const { frost } = suiteOf(curve);
  const { Fn } = frost.utils;
  const made = serverParties(scheme).map((id, at) => {
    const { public: shown, secret } = frost.DKG.round1(identifierOf(curve, id), signersOf(scheme));
    const commitment = shown.commitment.map(hexOf);
    const coefficients = secret.coefficients!.map((one) => hexOf(Fn.toBytes(one)));
    frost.DKG.clean(secret);
    return {
      party: { id, receiver: hexOf(receivers[at]!), coefficients, commitment },
      shown: { id, commitment, proof: hexOf(shown.proofOfKnowledge) },
    };
  });
  return { parties: made.map(({ party }) => party), packages: made.map(({ shown }) => shown) };
}

/**
 * Rounds 2 and 3: checks what the user's participants sent, and returns the service's shares of the key and what the
 * user's participants need for theirs.
 *
 * @throws CeremonyFault
 */
export async function finishKeygen(
  keygen: Keygen,
  { parties, packages: own }: KeygenSecrets,
  { packages: theirs, shares: sent }: KeygenShares,
): Promise<{ public: PublicShares; secrets: SecretShare[]; shares: SealedShare[] }> {
  const { curve, scheme } = keygen;
  const { frost } = suiteOf(curve);
  const { Fn } = frost.utils;
  const exchange = { ...keygen, label: 'keygen/v1' } as const;
  assertParties(scheme, theirs);
  const packages = [...theirs, ...own];
  const secrets: SecretShare[] = [];
  const shares: SealedShare[] = [];
  const toOwn = new Map<string, string>();
  let key: PublicShares | null = null;
  const opened = parties.map((party) => {
    const { id } = party;
    const secret = {
      identifier: BigInt(id),
      coefficients: party.coefficients.map((one) => Fn.fromBytes(bytesOf(one))),
      commitment: party.commitment.map(bytesOf),
      signers: signersOf(scheme),
      step: 1 as const,
    } as Parameters<FROST['DKG']['round2']>[0];
    const others = packages.filter((one) => one.id !== id).map((one) => frostPackage(curve, one));
    const given = guarded(theirs, () => frost.DKG.round2(secret, others));
    for (const other of parties) {
      if (other.id !== id) toOwn.set(`${id}-${other.id}`, hexOf(given[identifierOf(curve, other.id)]!.signingShare));
    }
    return { party, secret, others, given };
  });
  for (const { party, secret, others, given } of opened) {
    const { id, receiver, commitment } = party;
    for (const to of clientParties(scheme)) {
      const share = given[identifierOf(curve, to)]!.signingShare;
      shares.push(await sealSubShare(exchange, { from: id, to, commitment }, share));
    }
    const received = await Promise.all(
      others.map(async ({ identifier }) => {
        const from = packages.find((one) => identifierOf(curve, one.id) === identifier)!;
        const known = toOwn.get(`${from.id}-${id}`);
        const signingShare = known
          ? bytesOf(known)
          : await openSubShare(exchange, { from, to: id }, sent, bytesOf(receiver));
        assertSubShare(curve, signingShare, from, id);
        return { identifier, signingShare };
      }),
    );
    const made = frost.DKG.round3(secret, others, received);
    key = shownShares(curve, made.public);
    secrets.push({ id, share: hexOf(made.secret.signingShare) });
  }
  return { public: key!, secrets, shares };
}

const frostPackage = (curve: Curve, { id, commitment, proof }: Round1Package) => ({
  identifier: identifierOf(curve, id),
  commitment: commitment.map(bytesOf),
  proofOfKnowledge: bytesOf(proof),
});

function assertParties(scheme: ShareScheme, theirs: readonly Round1Package[]): void {
  const ids = theirs.map(({ id }) => id).sort((a, b) => a - b);
  if (ids.join() !== clientParties(scheme).join())
    throw new CeremonyFault(`the user's participants are ${clientParties(scheme).join(' and ')}`);
  const short = theirs.find(({ commitment }) => commitment.length !== partiesOf(scheme).min);
  if (short) throw new CeremonyFault(`participant ${short.id} commits to another number of coefficients`, short.id);
}

/** Turns a failed check of the user's packages into a fault; it names the participant only if there is just one. */
function guarded<T>(theirs: readonly Round1Package[], work: () => T): T {
  try {
    return work();
  } catch {
    const party = theirs.length === 1 ? theirs[0]!.id : null;
    throw new CeremonyFault('a commitment is no point of the group, or its proof of knowledge is wrong', party);
  }
}
