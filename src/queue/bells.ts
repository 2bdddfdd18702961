import type { JobFigures, JobHandler } from './job-queue.js';
import { SingleFlight } from './single-flight.js';

/** The bells that a process handles. */
export class Bells {
  private readonly flights = new Map<string, SingleFlight>();
  private isResting = false;

  /** @throws Error for a bell that has a handler */
  add(bell: string, handler: JobHandler): void {
    if (this.flights.has(bell)) throw new Error(`The bell ${bell} has a handler already.`);
    this.flights.set(bell, new SingleFlight(bell, handler));
  }

  /** Whether this process has a handler for the bell. */
  has(bell: string): boolean {
    return !this.isResting && this.flights.has(bell);
  }

  run(bell: string): Promise<boolean> {
    return this.has(bell) ? this.flights.get(bell)!.run() : Promise.resolve(false);
  }

  answer(bell: string): Promise<boolean> {
    const flight = this.flights.get(bell);
    if (this.isResting || !flight?.isRunning) return this.run(bell);
    void flight.run();
    return Promise.resolve(true);
  }

  /** Starts no more handlers. Resolves once none is running. */
  async rest(): Promise<void> {
    this.isResting = true;
    await Promise.all([...this.flights.values()].map((flight) => flight.idle()));
  }

  figures(): JobFigures[] {
    return [...this.flights].map(([bell, { runs, failures }]) => ({ bell, runs, failures }));
  }
}
