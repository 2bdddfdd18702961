import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A message in a room. Key shares in it are sealed; nothing else in it is secret. */
@Entity('ceremony_messages')
@Check('ceremony_messages_sender', "sender IN ('client', 'server')")
@ForeignKey('ceremony_rooms', ['environmentId', 'roomId'], ['environmentId', 'id'], {
  name: 'ceremony_messages_room',
  onDelete: 'CASCADE',
})
export class CeremonyMessage {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  roomId!: string;

  /** From 1. */
  @PrimaryColumn({ type: 'integer' })
  sequence!: number;

  @Column({ type: 'text' })
  sender!: 'client' | 'server';

  @Column({ type: 'jsonb' })
  message!: Record<string, unknown>;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
