import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { CustomFieldsRepository } from './custom-fields.repository.js';

/** Tells the environment of a custom field, whose path does not name it. */
@Injectable()
export class CustomFieldOwner extends OwnerResolver {
  constructor(private readonly fields: CustomFieldsRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the field is there, the operation finds out. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.fields.findOwner(id, caller.userId);
  }
}
