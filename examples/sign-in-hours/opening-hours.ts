const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** The daily period, in UTC, during which sign-in is open. A period that ends before it begins spans midnight. */
export class OpeningHours {
  private constructor(
    private readonly from: number,
    private readonly to: number,
  ) {}

  /** @throws RangeError if a time is not of the form HH:MM, or both are the same */
  static between(from: string, to: string): OpeningHours {
    const hours = new OpeningHours(minutesOf(from), minutesOf(to));
    if (hours.from === hours.to) throw new RangeError('Opening hours need two different times.');
    return hours;
  }

  includes(at: Date): boolean {
    const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
    return this.from < this.to ? minute >= this.from && minute < this.to : minute >= this.from || minute < this.to;
  }

  /** Seconds until the next opening; 0 while it is open. */
  secondsUntilOpen(at: Date): number {
    if (this.includes(at)) return 0;
    const second = at.getUTCHours() * 3600 + at.getUTCMinutes() * 60 + at.getUTCSeconds();
    return (this.from * 60 - second + 86_400) % 86_400;
  }
}

function minutesOf(time: string): number {
  const [, hours, minutes] = TIME.exec(time) ?? [];
  if (hours === undefined) throw new RangeError(`Times are written HH:MM (seen: ${time}).`);
  return Number(hours) * 60 + Number(minutes);
}
