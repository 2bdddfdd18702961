import type { ThresholdChain, TypedData } from '../../custody/index.js';

/** What a key generation is about, between its messages. */
export interface KeygenSubject {
  readonly protocol?: never;
  readonly chain: ThresholdChain;
  readonly keysId: string;
  /** Public keys of the user's participants, hexadecimal. */
  readonly clientKeys: readonly string[];
  /** Known from the second message on. */
  readonly publicKey?: string;
  readonly address?: string;
}

/** A request as the room keeps it. */
export interface KeptRequest {
  readonly kind: 'message' | 'solanaTransaction' | 'suiTransaction' | 'psbt' | 'tonTransaction' | 'tonData';
  /** Base64. */
  readonly bytes: string;
}

export interface SigningSubject {
  readonly protocol?: never;
  readonly request: KeptRequest;
  /** Of the shares that sign. */
  readonly generation: number;
}

/** What a refresh or reshare is about, between its messages. */
export interface ReshareSubject {
  readonly protocol?: never;
  /** Of the shares that are dealt. */
  readonly generation: number;
  /** What the user's new shares are sealed to, hexadecimal; null where the user's message names them. */
  readonly clientKeys: readonly string[] | null;
  /** Known from the second message on. */
  readonly publicKey?: string;
}

/** What tells ceremonies that keys which were split have alone, from those that name no protocol. */
interface SplitSubject {
  readonly protocol: 'SHAMIR';
}

/** What the key generation of a device is about. */
export interface SplitKeygenSubject extends SplitSubject {
  readonly keysId: string;
}

/** A request of EVM as the room keeps it. */
export type KeptEvmRequest =
  /** Base64. */
  | { readonly kind: 'message'; readonly message: string }
  | { readonly kind: 'evmTransaction'; readonly transaction: `0x${string}` }
  | { readonly kind: 'typedData'; readonly typedData: TypedData };

/** What the signature of a device is about, between its messages. */
export interface SplitSigningSubject extends SplitSubject {
  readonly request: KeptEvmRequest;
  /** Of the shares that are released. */
  readonly generation: number;
  readonly keysId: string;
  readonly address: string;
  /** The service's shares have left. */
  readonly released: boolean;
}

/** What a room of FROST is about, by the kind of its ceremony. No secrets. */
export interface RoomSubjects {
  readonly keygen: KeygenSubject;
  readonly sign: SigningSubject;
  readonly refresh: ReshareSubject;
  readonly reshare: ReshareSubject;
}

/** The same of keys that were split. Their shares are made anew in the rooms of FROST, by the same arithmetic. */
export interface SplitRoomSubjects {
  readonly keygen: SplitKeygenSubject;
  readonly sign: SplitSigningSubject;
}

export type CeremonyKind = keyof RoomSubjects;
export type SplitKind = keyof SplitRoomSubjects;

/** A kind of ceremony with what it is about, one of those that are named. */
export type CeremonyAbout<Kinds extends CeremonyKind = CeremonyKind> = {
  [Kind in Kinds]: { readonly kind: Kind; readonly subject: RoomSubjects[Kind] };
}[Kinds];

export type SplitCeremonyAbout<Kinds extends SplitKind = SplitKind> = {
  [Kind in Kinds]: { readonly kind: Kind; readonly subject: SplitRoomSubjects[Kind] };
}[Kinds];

/** Whatever rooms are about. */
export type RoomSubject = CeremonyAbout['subject'] | SplitCeremonyAbout['subject'];
