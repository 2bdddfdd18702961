import type { ThresholdChain, TypedData } from '../../custody/index.js';

/** The state of a key generation between its messages. */
export interface KeygenSubject {
  readonly protocol?: never;
  readonly chain: ThresholdChain;
  readonly keysId: string;
  /** X25519 public keys of the user's participants, hexadecimal. */
  readonly clientKeys: readonly string[];
  /** Known from the second message on. */
  readonly publicKey?: string;
  readonly address?: string;
}

/** A request as stored with the room. */
export interface KeptRequest {
  readonly kind: 'message' | 'solanaTransaction' | 'suiTransaction' | 'psbt' | 'tonTransaction' | 'tonData';
  /** Base64. */
  readonly bytes: string;
}

export interface SigningSubject {
  readonly protocol?: never;
  readonly request: KeptRequest;
  /** Generation of the signing shares. */
  readonly generation: number;
  /** The key, for the ledger if the wallet is gone by then. Absent in rooms opened by an earlier release. */
  readonly key?: { readonly keysId: string; readonly chain: ThresholdChain; readonly address: string };
}

/** The state of a refresh or reshare between its messages. */
export interface ReshareSubject {
  readonly protocol?: never;
  /** Generation of the shares being dealt. */
  readonly generation: number;
  /** Keys that the user's new shares are sealed to, hexadecimal; null where the user's message names them. */
  readonly clientKeys: readonly string[] | null;
  /** Known from the second message on. */
  readonly publicKey?: string;
}

/** Distinguishes ceremonies that only split keys have from those that name no protocol. */
interface SplitSubject {
  readonly protocol: 'SHAMIR';
}

/** The subject of a key generation on a device. */
export interface SplitKeygenSubject extends SplitSubject {
  readonly keysId: string;
}

/** An EVM request as stored with the room. */
export type KeptEvmRequest =
  /** Base64. */
  | { readonly kind: 'message'; readonly message: string }
  | { readonly kind: 'evmTransaction'; readonly transaction: `0x${string}` }
  | { readonly kind: 'typedData'; readonly typedData: TypedData };

/** The state of a signature on a device between its messages. */
export interface SplitSigningSubject extends SplitSubject {
  readonly request: KeptEvmRequest;
  /** Generation of the released shares. */
  readonly generation: number;
  readonly keysId: string;
  readonly address: string;
  /** Whether the service's shares have been released. */
  readonly released: boolean;
}

/** The subject of a FROST room, by kind of ceremony. No secrets. */
export interface RoomSubjects {
  readonly keygen: KeygenSubject;
  readonly sign: SigningSubject;
  readonly refresh: ReshareSubject;
  readonly reshare: ReshareSubject;
}

/** The same for split keys. Their shares are replaced in FROST rooms, by the same arithmetic. */
export interface SplitRoomSubjects {
  readonly keygen: SplitKeygenSubject;
  readonly sign: SplitSigningSubject;
}

export type CeremonyKind = keyof RoomSubjects;
export type SplitKind = keyof SplitRoomSubjects;

/** One of the named kinds of ceremony, with its subject. */
export type CeremonyAbout<Kinds extends CeremonyKind = CeremonyKind> = {
  [Kind in Kinds]: { readonly kind: Kind; readonly subject: RoomSubjects[Kind] };
}[Kinds];

export type SplitCeremonyAbout<Kinds extends SplitKind = SplitKind> = {
  [Kind in Kinds]: { readonly kind: Kind; readonly subject: SplitRoomSubjects[Kind] };
}[Kinds];

/** The subject of any room. */
export type RoomSubject = CeremonyAbout['subject'] | SplitCeremonyAbout['subject'];
