// Tells the work for a request that its client has gone away.

/** Ends work that nobody waits for any more. It is no failure of the service, and nobody is there to be told. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('the client has gone away');
  }
}

/** Makes a signal only for those who ask for one: most requests need none. */
export class ClientWatch {
  #controller: AbortController | undefined;
  #isGone = false;

  /** Aborts with a ClientGoneError. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isGone) this.#abort();
    }
    return this.#controller.signal;
  }

  /** The response was closed before any of it was sent. */
  clientHasGone(): void {
    this.#isGone = true;
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new ClientGoneError());
  }
}
