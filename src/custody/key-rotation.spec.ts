import { describe, expect, it } from '@jest/globals';
import { SealedRecords, SealedRecordsRegistry, UnopenedRowsError } from '../vault/index.js';
import { KeyRotation, type RotationProgress } from './key-rotation.js';

/** Records whose batches are scripted: each entry is what one batch may take at most, 0 for rows held by others. */
class Rows extends SealedRecords {
  readonly limits: number[] = [];

  constructor(
    readonly name: string,
    private outdated: number,
    private readonly grants: number[] = [],
  ) {
    super();
  }

  async count(): Promise<number> {
    return this.outdated;
  }

  grow(by: number): void {
    this.outdated += by;
  }

  async rewrapBatch(limit: number): Promise<number> {
    this.limits.push(limit);
    const done = Math.min(limit, this.outdated, this.grants.shift() ?? Infinity);
    this.outdated -= done;
    return done;
  }
}

function rotationOf(...records: SealedRecords[]): KeyRotation {
  const registry = new SealedRecordsRegistry();
  for (const one of records) registry.register(one);
  return new KeyRotation(registry);
}

describe('the rotation of the master key', () => {
  it('moves all records of every kind, in batches of 500', async () => {
    const [seeds, secrets, none] = [new Rows('seeds', 1200), new Rows('secrets', 3), new Rows('none', 0)];

    const results = await rotationOf(seeds, secrets, none).rewrapAll();

    expect(results).toEqual([
      { name: 'seeds', rewrapped: 1200, remaining: 0, unopened: [] },
      { name: 'secrets', rewrapped: 3, remaining: 0, unopened: [] },
      { name: 'none', rewrapped: 0, remaining: 0, unopened: [] },
    ]);
    expect(seeds.limits).toEqual([500, 500, 500]);
    expect(none.limits).toEqual([]);
  });

  it('tells its progress after each batch', async () => {
    const seen: RotationProgress[] = [];

    await rotationOf(new Rows('seeds', 5)).rewrapAll({ batch: 2, onProgress: (progress) => seen.push(progress) });

    expect(seen.map(({ rewrapped, remaining }) => [rewrapped, remaining])).toEqual([
      [2, 3],
      [4, 1],
      [5, 0],
    ]);
  });

  it('waits for rows that another process holds and takes them when they are free', async () => {
    const rows = new Rows('seeds', 4, [3, 0, 1]);

    expect(await rotationOf(rows).rewrapAll()).toEqual([{ name: 'seeds', rewrapped: 4, remaining: 0, unopened: [] }]);
    expect(rows.limits).toHaveLength(3);
  });

  it('passes on the failure of a row that does not open', async () => {
    class Broken extends Rows {
      override async rewrapBatch(): Promise<number> {
        throw new Error('refused');
      }
    }

    await expect(rotationOf(new Broken('seeds', 1)).rewrapAll()).rejects.toThrow('refused');
  });

  it('goes on past rows that do not open, however many come first, and names them', async () => {
    /** The first rows do not open, and are listed again each time. */
    class Damaged extends Rows {
      constructor(
        name: string,
        private readonly damaged: string[],
        sound: number,
      ) {
        super(name, sound + damaged.length);
      }

      override async rewrapBatch(limit: number): Promise<number> {
        const met = this.damaged.slice(0, limit);
        const left = (await this.count()) - this.damaged.length;
        const done = await super.rewrapBatch(Math.min(limit - met.length, left));
        throw new UnopenedRowsError(met, done);
      }
    }
    const damaged = ['id=1', 'id=2', 'id=3', 'id=4', 'id=5'];

    const results = await rotationOf(new Damaged('seeds', damaged, 7), new Rows('secrets', 3)).rewrapAll({ batch: 2 });

    expect(results).toEqual([
      { name: 'seeds', rewrapped: 7, remaining: 5, unopened: damaged },
      { name: 'secrets', rewrapped: 3, remaining: 0, unopened: [] },
    ]);
  });

  it('goes through all again when the key has changed meanwhile, and tells what is left when it never ends', async () => {
    /** When these are moved, what was moved before is under an older key once more. */
    class Rotating extends Rows {
      constructor(
        private readonly before: Rows,
        private times: number,
      ) {
        super('secrets', 1);
      }

      override async rewrapBatch(limit: number): Promise<number> {
        if (this.times-- > 0) this.before.grow(2);
        return super.rewrapBatch(limit);
      }
    }
    const once = new Rows('seeds', 2);
    expect(await rotationOf(once, new Rotating(once, 1)).rewrapAll()).toMatchObject([
      { name: 'seeds', rewrapped: 4, remaining: 0 },
      { name: 'secrets', rewrapped: 1, remaining: 0 },
    ]);

    /** Somebody goes on sealing under the older key. */
    class Endless extends Rows {
      override async count(): Promise<number> {
        const left = await super.count();
        if (left === 0) this.grow(1);
        return left;
      }
    }
    const [left] = await rotationOf(new Endless('seeds', 1)).rewrapAll();
    expect(left).toMatchObject({ rewrapped: 3, remaining: 1 });
  });

  it('refuses two kinds of records under one name', () => {
    expect(() => rotationOf(new Rows('seeds', 1), new Rows('seeds', 1))).toThrow('registered twice');
  });
});
