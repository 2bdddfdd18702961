import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, type Repository } from 'typeorm';
import { Reminder } from './reminder.entity.js';

/** An ordinary repository of TypeORM. Each of its calls has to name the environment: nothing else here does. */
@Injectable()
export class RemindersRepository {
  constructor(@InjectRepository(Reminder) private readonly rows: Repository<Reminder>) {}

  add(environmentId: string, reminder: Pick<Reminder, 'id' | 'text' | 'sendAt'>): Promise<Reminder> {
    return this.rows.save(this.rows.create({ ...reminder, environmentId }));
  }

  list(environmentId: string): Promise<Reminder[]> {
    return this.rows.find({ where: { environmentId }, order: { id: 'ASC' }, take: 100 });
  }

  /** Some of every environment, for the job. */
  listDue(now: Date): Promise<Reminder[]> {
    return this.rows.find({ where: { sentAt: IsNull(), sendAt: LessThanOrEqual(now) }, take: 500 });
  }

  /** False when another instance was first: its row count decides. */
  async markSent({ environmentId, id }: Reminder, now: Date): Promise<boolean> {
    return (await this.rows.update({ environmentId, id, sentAt: IsNull() }, { sentAt: now })).affected === 1;
  }
}
