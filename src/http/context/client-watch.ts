// Tells the code that handles a request that its client has gone away.

/**
 * Ends work whose result nobody waits for any more. It is not a failure of the service, and no client is left to be
 * told.
 */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('the client has gone away');
  }
}

/** Creates a signal only when one is requested: most requests need none. */
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

  /** Call this when the response was closed before any of it was sent. */
  clientHasGone(): void {
    this.#isGone = true;
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new ClientGoneError());
  }
}
