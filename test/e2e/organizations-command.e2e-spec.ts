import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ProjectsService } from '../../src/organizations/index.js';
import type { TestApp } from '../support/app.js';
import { command } from '../support/operator.js';
import { rowsOf } from '../support/rows.js';
import type { Finished } from '../support/service-process.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newEmail } from '../support/world.js';

describe('the command that makes an organization', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const create = (name: string, owner: string, ...more: string[]): Promise<Finished> =>
    command(test.app, 'organizations', 'create', '--name', name, '--owner', owner, ...more);
  const named = (name: string): Promise<{ id: string }[]> =>
    rowsOf(test, 'SELECT id FROM organizations WHERE name = $1', [name]);

  it('takes no name that the API would refuse', async () => {
    const owner = newEmail();
    const long = 'n'.repeat(256);
    expect(await create(long, owner)).toMatchObject({ code: 1, stderr: '--name must have at most 255 characters.\n' });
    const refused = await create(owner, owner, '--project', long);
    expect(refused).toMatchObject({ code: 1, stderr: '--project must have at most 255 characters.\n' });
    const unseen = await create('\u200b', owner);
    expect(unseen).toMatchObject({ code: 1, stderr: '--name must contain a visible character.\n' });
    expect([await named(long), await named(owner)]).toEqual([[], []]);
    expect((await create(long.slice(1), owner)).code).toBe(0);
  });

  it('leaves nothing when it ends before the project is there, so it can be given again', async () => {
    const [name, owner] = [newEmail(), newEmail()];
    const projects = test.app.get(ProjectsService);
    const lost = jest.spyOn(projects, 'createProject').mockRejectedValueOnce(new Error('of the test'));
    expect((await create(name, owner)).code).toBe(1);
    lost.mockRestore();
    expect(await named(name)).toEqual([]);
    expect((await create(name, owner)).code).toBe(0);
  });

  it('says how to come by another link when it ended before the first one was printed', async () => {
    const [name, owner] = [newEmail(), newEmail()];
    await create(name, owner);
    const [{ id } = { id: '' }] = await named(name);
    const again = await create(name, owner);
    expect(again.code).toBe(1);
    const words = /members link (--organization \S+ --email \S+)\n$/.exec(again.stderr)?.[1]?.split(' ') ?? [];
    expect(words).toEqual(['--organization', id, '--email', owner]);
    expect(await command(test.app, 'members', 'link', ...words)).toMatchObject({ code: 0 });
  });
});
