import { CeremonyFault } from './ceremony-fault.js';
import { openOffer, sealTo } from '../../vault/index.js';
import { bytesOf, frost, hexOf, identifierOf, shownShares, type PublicShares, type SecretShare } from './frost.js';
import { clientParties, partiesOf, serverParties, type ShareScheme } from './schemes.js';
import type { KeygenShares, Round1Package, SealedShare } from './wire.js';

const { Fn } = frost.utils;

/** What the service keeps of its participants between the rounds. Secret, all of it. */
export interface KeygenSecrets {
  readonly parties: readonly {
    readonly id: number;
    /** What the key pair comes from that shares are sealed to: 32 bytes. */
    readonly receiver: string;
    readonly coefficients: readonly string[];
    readonly commitment: readonly string[];
  }[];
  /** Of all of the service's participants, as they were told. */
  readonly packages: readonly Round1Package[];
}

/** Which ceremony, and who takes part in it: the public keys of the user's participants, by their number. */
export interface Keygen {
  readonly scheme: ShareScheme;
  readonly environmentId: string;
  readonly roomId: string;
  readonly clientKeys: readonly Uint8Array[];
}

/**
 * Distributed key generation, round 1 (figure 1 of the paper of FROST, as `@noble/curves` has it): a polynomial for each
 * of the service's participants, commitments to its coefficients, and the proof that the constant one is known.
 */
export function beginKeygen(scheme: ShareScheme, receivers: readonly Uint8Array[]): KeygenSecrets {
  const made = serverParties(scheme).map((id, at) => {
    const { public: shown, secret } = frost.DKG.round1(identifierOf(id), signersOf(scheme));
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
 * Rounds 2 and 3: checks what the user's participants sent, and gives the service's shares of the key and what the user's
 * participants need for theirs.
 *
 * @throws CeremonyFault
 */
export async function finishKeygen(
  keygen: Keygen,
  { parties, packages: own }: KeygenSecrets,
  { packages: theirs, shares: sent }: KeygenShares,
): Promise<{ public: PublicShares; secrets: SecretShare[]; shares: SealedShare[] }> {
  const { scheme } = keygen;
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
    } as Parameters<typeof frost.DKG.round2>[0];
    const others = packages.filter((one) => one.id !== id).map(frostPackage);
    const given = guarded(theirs, () => frost.DKG.round2(secret, others));
    for (const other of parties) {
      if (other.id !== id) toOwn.set(`${id}-${other.id}`, hexOf(given[identifierOf(other.id)]!.signingShare));
    }
    return { party, secret, others, given };
  });
  for (const { party, secret, others, given } of opened) {
    const { id, receiver, commitment } = party;
    for (const to of clientParties(scheme)) {
      const share = given[identifierOf(to)]!.signingShare;
      shares.push(await sealShare(keygen, { from: id, to, commitment }, share));
    }
    const received = await Promise.all(
      others.map(async ({ identifier }) => {
        const from = packages.find((one) => identifierOf(one.id) === identifier)!;
        const known = toOwn.get(`${from.id}-${id}`);
        const signingShare = known
          ? bytesOf(known)
          : await openShare(keygen, { from, to: id }, sent, bytesOf(receiver));
        return { identifier, signingShare };
      }),
    );
    for (const { identifier, signingShare } of received) assertShare(identifier, signingShare, { id, packages });
    const made = frost.DKG.round3(secret, others, received);
    key = shownShares(made.public);
    secrets.push({ id, share: hexOf(made.secret.signingShare) });
  }
  return { public: key!, secrets, shares };
}

const signersOf = (scheme: ShareScheme) => {
  const { min, max } = partiesOf(scheme);
  return { min, max };
};

const frostPackage = ({ id, commitment, proof }: Round1Package) => ({
  identifier: identifierOf(id),
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

/** Proofs are checked one by one in there; which of them is wrong is found by leaving out the others. */
function guarded<T>(theirs: readonly Round1Package[], work: () => T): T {
  try {
    return work();
  } catch {
    const party = theirs.length === 1 ? theirs[0]!.id : null;
    throw new CeremonyFault('a commitment is no point of the group, or its proof of knowledge is wrong', party);
  }
}

/** A share has to lie on the polynomial that its sender has committed to. */
function assertShare(
  identifier: string,
  signingShare: Uint8Array,
  { id, packages }: { id: number; packages: readonly Round1Package[] },
): void {
  const sender = packages.find((one) => identifierOf(one.id) === identifier)!;
  const commitments = sender.commitment.map(bytesOf);
  const { length: min } = commitments;
  try {
    const pub = { signers: { min, max: packages.length }, commitments, verifyingShares: {} };
    frost.validateSecret({ identifier: identifierOf(id), signingShare }, pub);
  } catch {
    throw new CeremonyFault(`the share of participant ${sender.id} is not on its polynomial`, sender.id);
  }
}

/** What a sealed share is for: nothing that was sealed for another room or participant opens. */
const infoOf = ({ environmentId, roomId }: Keygen, from: number, to: number): Buffer =>
  Buffer.from(['keygen/v1', environmentId, roomId, from, to].join('|'));

async function sealShare(
  keygen: Keygen,
  { from, to, commitment }: { from: number; to: number; commitment: readonly string[] },
  share: Uint8Array,
): Promise<SealedShare> {
  const recipient = { kem: 'X25519', publicKey: keygen.clientKeys[to - 1]!, info: infoOf(keygen, from, to) } as const;
  const { enc, ciphertext } = await sealTo(recipient, share, Buffer.from(commitment.join(''), 'hex'));
  return { from, to, enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url') };
}

async function openShare(
  keygen: Keygen,
  { from, to }: { from: Round1Package; to: number },
  sent: readonly SealedShare[],
  receiver: Uint8Array,
): Promise<Uint8Array> {
  const sealed = sent.find((one) => one.from === from.id && one.to === to);
  if (!sealed) throw new CeremonyFault(`participant ${from.id} sends no share to participant ${to}`, from.id);
  const message = {
    enc: Buffer.from(sealed.enc, 'base64url'),
    ciphertext: Buffer.from(sealed.ciphertext, 'base64url'),
  };
  const aad = Buffer.from(from.commitment.join(''), 'hex');
  const opened = await openOffer(receiver, message, { info: infoOf(keygen, from.id, to), aad });
  if (opened?.length !== 32)
    throw new CeremonyFault(`the share of participant ${from.id} was not sealed for this room`, from.id);
  return Uint8Array.from(opened);
}
