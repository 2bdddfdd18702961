import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { whileAlone } from '../database/index.js';
import { QuickstartProjectsRepository } from './quickstart-projects.repository.js';
import { readQuickstart, removeQuickstart, type Quickstart } from './quickstart.js';

/** The quick start file, what it names, and who may make it. */
@Injectable()
export class Quickstarts {
  constructor(
    private readonly projects: QuickstartProjectsRepository,
    private readonly config: Config,
  ) {}

  /** Whether what a quick start file names is still there: with the project its tokens go. */
  exists(quickstart: Pick<Quickstart, 'organizationId' | 'projectId'>): Promise<boolean> {
    return this.projects.exists(quickstart);
  }

  /** That of this folder; null where none was made, and once its project is gone. */
  async find(): Promise<Quickstart | null> {
    const known = readQuickstart(this.config.get('DATA_DIR'));
    return known && (await this.exists(known)) ? known : null;
  }

  /** Takes the file of a project away once that is gone, with its dead tokens. @returns whether there was one */
  async removeOf(projectId: string): Promise<boolean> {
    const dataDir = this.config.get('DATA_DIR');
    const known = readQuickstart(dataDir);
    if (known?.projectId !== projectId || (await this.exists(known))) return false;
    removeQuickstart(dataDir);
    return true;
  }

  /** Of instances that start together one at a time: the next one finds what the first has made and written down. */
  whileAlone<T>(run: () => Promise<T>): Promise<T> {
    return whileAlone(this.config.get('DATABASE_URL') ?? '', 'quickstart', run);
  }
}
