import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { CustomFieldsRepository } from './custom-fields.repository.js';

/** Resolves the environment of a custom field whose path does not name it. */
@Injectable()
export class CustomFieldOwner extends OwnerResolver {
  constructor(private readonly fields: CustomFieldsRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation itself checks that the field exists. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.fields.findOwner(id, caller.userId);
  }
}
