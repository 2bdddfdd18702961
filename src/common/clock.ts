/** The wall clock of this process. Injected, so that tests can move it and no code hides a `Date.now()`. */
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Milliseconds since the Unix epoch. */
  timestamp(): number {
    return Date.now();
  }
}
