/** The work for a ring. It looks up due work in PostgreSQL, so an extra call is harmless. */
export type JobHandler = () => Promise<void>;

/**
 * Wakes workers. A ring only says that there may be work: PostgreSQL is the record, so a lost ring means a delay until the
 * next sweep, but never a lost event.
 */
export abstract class JobQueue {
  /** Registers the handler of a bell. Rings that arrive while it is running make it run once more. */
  abstract handle(bell: string, handler: JobHandler): void;

  /** Wakes one worker, now or after `delayMs`. Never throws and never waits for the work. */
  abstract ring(bell: string, delayMs?: number): void;

  /** Runs the handler of a bell in this process. @returns whether it succeeded; failures are logged */
  abstract run(bell: string): Promise<boolean>;

  /**
   * Handles a ring from another process. If the handler is already running, it runs once more as part of that run.
   * @returns false if the work was not done
   */
  abstract answer(bell: string): Promise<boolean>;

  /** Starts no more handlers here, and waits for the running ones. Rings go to other instances, if any. */
  abstract rest(): Promise<void>;

  /** Stops accepting rings. */
  abstract close(): Promise<void>;

  /** Whether the transport accepts rings now. @throws if it cannot be reached */
  abstract takesRings(): Promise<boolean>;

  /** How often the handlers of this process have run. */
  abstract figures(): JobFigures[];
}

export interface JobFigures {
  bell: string;
  runs: number;
  failures: number;
}
