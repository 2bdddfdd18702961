/**
 * Whether this process is about to stop: it still answers, but asks for no more. Answers then close their connections,
 * so that clients and balancers open the next one elsewhere.
 */
export class Drain {
  private draining = false;

  get isDraining(): boolean {
    return this.draining;
  }

  begin(): void {
    this.draining = true;
  }
}
