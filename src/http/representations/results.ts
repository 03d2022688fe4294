// What operations return for a success: JSON, or a kind of file.

import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** 128 bits, enough to tell any two bodies apart. */
const hashLength = 22;

export const hashBody = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, hashLength);

/** A value that is sent as JSON. */
export type JsonResult<T> = T | PreparedJson<T>;

/** The existing JSON text of a T: from a cache, or stored for an Idempotency-Key. */
export class PreparedJson<T> {
  /** Never set: it only makes the texts of different types T different types. */
  declare readonly value?: T;
  readonly text: string;
  /** The language of the text, if it may differ from the one that this request asks for. */
  readonly language: string | undefined;
  /**
   * The text as it would be at one fixed time, if it shows when it was made: the ETag is made from it, and is weak, since
   * texts that differ in this time alone share it.
   */
  readonly timelessText: string | undefined;
  #hash: string | undefined;

  constructor(text: string, language?: string, timelessText?: string) {
    this.text = text;
    this.language = language;
    this.timelessText = timelessText;
  }

  /** Computed once, since many answers can have a cached text. */
  get hash(): string {
    return (this.#hash ??= hashBody(this.timelessText ?? this.text));
  }
}

/** A file that is streamed while it is made. */
export type Download = {
  /** The media type, as in Content-Type. */
  readonly mediaType: string;
  /** ASCII without quotes: the service makes file names from KIDs and dates. */
  readonly fileName: string;
  /** Text is sent as UTF-8. */
  readonly content: AsyncIterable<Uint8Array | string>;
};

/** A file whose bytes are finished before the first one is sent. */
export type PreparedFile = {
  readonly body: Uint8Array;
  /** The value of Content-Type; without it the body is JSON, of the type that the client prefers. */
  readonly mediaType?: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as it would be at one fixed time, if it shows the time at which it was made: the ETag is made from it, and is
   * weak, since pages that differ in this time alone share it.
   */
  readonly timelessBody?: string;
  /** The request fields on which the file depends, in addition to the usual ones. */
  readonly varies?: readonly string[];
};

/** A file on disk. */
export type StoredFile = {
  /** Open; it is closed after sending. */
  readonly file: FileHandle;
  readonly size: number;
  /** A strong entity tag, with its quotes. */
  readonly etag: string;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the file still is the one of the ETag; checked before the last bytes are sent. */
  readonly isUnchanged: () => Promise<boolean>;
};

/** Text that is sent while it is made, for as long as the client reads. */
export class StreamedBody {
  /** The value of Content-Type. */
  readonly mediaType: string;
  readonly chunks: AsyncIterable<string>;

  constructor(mediaType: string, chunks: AsyncIterable<string>) {
    this.mediaType = mediaType;
    this.chunks = chunks;
  }
}
