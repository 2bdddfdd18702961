import {
  DateField,
  defineEnum,
  EnumField,
  IntegerField,
  JsonField,
  ListField,
  StringField,
  StringListField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';
import { THRESHOLD_SCHEMES } from '../../identity/index.js';
import { MAX_OPEN_ROOMS } from './rooms.repository.js';

const ROOM_TYPES = defineEnum('RoomTypeEnum', ['threshold', 'full']);
const ROOM_STATES = defineEnum('RoomStateEnum', ['open', 'running', 'done', 'aborted', 'expired']);
const SENDERS = defineEnum('RoomMessageSenderEnum', ['client', 'server']);

export const DEFAULT_ROOMS = 5;
export const MAX_WAIT_SECONDS = 20;

export class CreateRoomsRequest {
  @EnumField(ROOM_TYPES, { description: '`threshold`: for a signature; `full`: for a new key, or new shares of one.' })
  roomType!: EnumValue<typeof ROOM_TYPES>;

  @IntegerField({ optional: true, min: 1, max: MAX_OPEN_ROOMS, default: DEFAULT_ROOMS })
  roomCount?: number;
}

export class CreateRoomsWithoutWalletIdRequest extends CreateRoomsRequest {
  @EnumField(THRESHOLD_SCHEMES)
  thresholdSignatureScheme!: EnumValue<typeof THRESHOLD_SCHEMES>;
}

export class CreateRoomsResponse {
  @StringListField()
  roomIds!: string[];
}

export class CreateRoomsWithoutWalletIdResponse extends CreateRoomsResponse {}

export class RoomMessage {
  @IntegerField({ description: 'From 1, in the order in which they were sent.' })
  sequence!: number;

  @EnumField(SENDERS)
  sender!: EnumValue<typeof SENDERS>;

  @JsonField({ description: 'Has a `type`. docs/threshold.md describes them all.' })
  message!: Record<string, unknown>;
}

export class RoomMessages {
  @EnumField(ROOM_STATES)
  state!: EnumValue<typeof ROOM_STATES>;

  @StringField({ optional: true, nullable: true, description: 'Why the ceremony failed.' })
  failure?: string | null;

  @DateField({ description: 'When the room closes, whatever its outcome.' })
  expiresAt!: Date;

  @ListField(() => RoomMessage)
  messages!: RoomMessage[];
}

export class PostRoomMessageRequest {
  @JsonField({
    maxBytes: 16_384,
    description: 'The next message of the ceremony.',
    example: { type: 'sign.shares', commitments: [], shares: [] },
  })
  message!: Record<string, unknown>;
}

export class ReadRoomQuery {
  @QueryInteger({ optional: true, min: 0, max: 100, default: 0 })
  after?: number;

  @QueryInteger({ optional: true, min: 0, max: MAX_WAIT_SECONDS, default: 0 })
  waitSeconds?: number;
}
