import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, Raw, type Repository } from 'typeorm';
import { Reminder } from './reminder.entity.js';

/** An ordinary TypeORM repository. Each call must filter by environment itself: nothing else here does. */
@Injectable()
export class RemindersRepository {
  constructor(@InjectRepository(Reminder) private readonly rows: Repository<Reminder>) {}

  add(environmentId: string, reminder: Pick<Reminder, 'id' | 'text' | 'sendAt'>): Promise<Reminder> {
    return this.rows.save(this.rows.create({ ...reminder, environmentId }));
  }

  list(environmentId: string): Promise<Reminder[]> {
    return this.rows.find({ where: { environmentId }, order: { id: 'ASC' }, take: 100 });
  }

  /** A batch from all environments, for the job. Rows of a deleted one are there until the service has removed them. */
  listDue(now: Date): Promise<Reminder[]> {
    const environmentId = Raw((id) => `${id} IN (SELECT id FROM environments WHERE deleted_at IS NULL)`);
    return this.rows.find({ where: { environmentId, sentAt: IsNull(), sendAt: LessThanOrEqual(now) }, take: 500 });
  }

  /** False when another instance was first, according to the row count. */
  async markSent({ environmentId, id }: Reminder, now: Date): Promise<boolean> {
    return (await this.rows.update({ environmentId, id, sentAt: IsNull() }, { sentAt: now })).affected === 1;
  }
}
