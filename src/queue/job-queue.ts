/** Work that a ring asks for. It looks up in PostgreSQL what is due, so being called once too often is harmless. */
export type JobHandler = () => Promise<void>;

/**
 * Wakes workers. A ring says "there may be work", never what it is: PostgreSQL is the record, so a lost ring costs
 * delay (until the next sweep) and never an event.
 */
export abstract class JobQueue {
  /** Registers the handler of a bell. Rings that arrive while it runs make it run once more. */
  abstract handle(bell: string, handler: JobHandler): void;

  /** Wakes one worker, now or after `delayMs`. Never throws and never waits for the work. */
  abstract ring(bell: string, delayMs?: number): void;

  /** Runs the handler of a bell in this process. @returns whether it did its work; its failure is in the log */
  abstract run(bell: string): Promise<boolean>;

  /**
   * Answers a ring that came from elsewhere. One that comes while the handler runs is a part of that run, which looks
   * once more. @returns false when the work was not done
   */
  abstract answer(bell: string): Promise<boolean>;

  /** Runs no handler here any more, and waits for those that run. Rings go to other instances, where there are any. */
  abstract rest(): Promise<void>;

  /** Stops taking rings. */
  abstract close(): Promise<void>;

  /** @throws when the carrier of rings is out of reach. */
  abstract assertReachable(): Promise<void>;

  /** How often the handlers of this process have run. */
  abstract figures(): JobFigures[];
}

export interface JobFigures {
  bell: string;
  runs: number;
  failures: number;
}
