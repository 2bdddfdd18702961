import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { whileAlone } from '../database/index.js';
import { QuickstartProjectsRepository } from './quickstart-projects.repository.js';
import { readQuickstart, removeQuickstart, type Quickstart } from './quickstart.js';

/** The quick-start file: finds, removes and guards it. */
@Injectable()
export class Quickstarts {
  constructor(
    private readonly projects: QuickstartProjectsRepository,
    private readonly config: Config,
  ) {}

  /** Whether the project of a quick-start file still exists: its tokens are deleted with it. */
  exists(quickstart: Pick<Quickstart, 'organizationId' | 'projectId'>): Promise<boolean> {
    return this.projects.exists(quickstart);
  }

  /** The quick start of this DATA_DIR; null if there is none or its project was deleted. */
  async find(): Promise<Quickstart | null> {
    const known = readQuickstart(this.config.get('DATA_DIR'));
    return known && (await this.exists(known)) ? known : null;
  }

  /** Removes the file, with its dead tokens, if its project was deleted. @returns whether it was removed */
  async removeOf(projectId: string): Promise<boolean> {
    const dataDir = this.config.get('DATA_DIR');
    const known = readQuickstart(dataDir);
    if (known?.projectId !== projectId || (await this.exists(known))) return false;
    removeQuickstart(dataDir);
    return true;
  }

  /** Runs on one instance at a time: of instances that start together, the others find what the first one created. */
  whileAlone<T>(run: () => Promise<T>): Promise<T> {
    return whileAlone(this.config.get('DATABASE_URL') ?? '', 'quickstart', run);
  }
}
