import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { refuseSharedSessions, SharedSessionsError } from './shared-sessions.js';

type Kind = 'none' | 'session' | 'last used' | 'in turn';

/** Connections through a pooler: what it announces is none of the sessions behind it. */
class FakePooler {
  readonly asked: string[] = [];
  private readonly free = [11, 12, 13];

  constructor(private readonly kind: Kind) {}

  get pool(): Pool {
    return { options: { max: 15 }, connect: () => Promise.resolve(this.connect()) } as unknown as Pool;
  }

  private connect(): object {
    const keeps = this.kind === 'none' || this.kind === 'session';
    let session = keeps ? this.take() : null;
    const query = (text: string): Promise<object> => {
      this.asked.push(text);
      const used = session ?? this.take();
      if (text === 'BEGIN') session = used;
      else if (!keeps && (session === null || text === 'COMMIT')) {
        session = null;
        this.free.unshift(used);
      }
      return Promise.resolve({ rows: [{ pid: used }] });
    };
    return { processID: this.kind === 'none' ? session : 99, query, release: () => undefined };
  }

  private take(): number {
    return this.kind === 'in turn' ? this.free.pop()! : this.free.shift()!;
  }
}

describe('a pooler in front of the database', () => {
  it.each<Kind>(['last used', 'in turn'])(
    'is refused if it gives each transaction another session (%s)',
    async (kind) => {
      await expect(refuseSharedSessions(new FakePooler(kind).pool)).rejects.toThrow(SharedSessionsError);
    },
  );

  it('is fine if every connection keeps its session', async () => {
    await expect(refuseSharedSessions(new FakePooler('session').pool)).resolves.toBeUndefined();
  });

  it('is looked for with one statement where there is none', async () => {
    const direct = new FakePooler('none');
    await refuseSharedSessions(direct.pool);
    expect(direct.asked).toHaveLength(1);
  });
});
