// A result whose JSON text exists already: from a cache, or stored for an Idempotency-Key.

export class PreparedJson {
  readonly text: string;
  /** The language of the text, where it may differ from the one that this request asks for. */
  readonly language: string | undefined;

  constructor(text: string, language?: string) {
    this.text = text;
    this.language = language;
  }
}
