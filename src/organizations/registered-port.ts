/** A port of this context. The context above that implements it registers its adapter at start-up. */
export abstract class RegisteredPort<Adapter extends object> {
  private adapter: Adapter | null = null;

  register(adapter: Adapter): void {
    if (this.adapter) throw new Error(`${this.constructor.name} has an adapter already.`);
    this.adapter = adapter;
  }

  protected get registered(): Adapter {
    if (!this.adapter) throw new Error(`${this.constructor.name} has no adapter.`);
    return this.adapter;
  }
}
