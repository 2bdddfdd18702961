/**
 * Whether this process is about to stop. It still serves requests, but responses close their connections, so that clients
 * and load balancers open the next one elsewhere.
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
