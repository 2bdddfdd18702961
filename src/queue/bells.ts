import type { JobFigures, JobHandler } from './job-queue.js';
import { SingleFlight } from './single-flight.js';

/** The bells that a process answers. */
export class Bells {
  private readonly flights = new Map<string, SingleFlight>();

  /** @throws Error for a bell that has a handler */
  add(bell: string, handler: JobHandler): void {
    if (this.flights.has(bell)) throw new Error(`The bell ${bell} has a handler already.`);
    this.flights.set(bell, new SingleFlight(bell, handler));
  }

  has(bell: string): boolean {
    return this.flights.has(bell);
  }

  run(bell: string): Promise<boolean> {
    return this.flights.get(bell)?.run() ?? Promise.resolve(false);
  }

  answer(bell: string): Promise<boolean> {
    const flight = this.flights.get(bell);
    if (!flight?.isRunning) return this.run(bell);
    void flight.run();
    return Promise.resolve(true);
  }

  /** Settles when nothing runs. */
  async idle(): Promise<void> {
    await Promise.all([...this.flights.values()].map((flight) => flight.idle()));
  }

  figures(): JobFigures[] {
    return [...this.flights].map(([bell, { runs, failures }]) => ({ bell, runs, failures }));
  }
}
