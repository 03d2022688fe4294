// The messages between the cache and the thread that owns its file. One is answered before the next is sent.

import type { Lifetime, Times } from './lifetime.ts';

export type FileBounds = Lifetime & { readonly maxVariants: number; readonly maxBytes: number };

export type ThreadSettings = { readonly file: string; readonly bounds: FileBounds };

/** What is known of a variant in the file without reading it. */
export type Entry = Times & { readonly key: string; readonly bytes: number };

export type Use = { readonly key: string; readonly usedAtMs: number };

type Named = { readonly key: string; readonly type: string; readonly etag: string; readonly renderedAtMs: number };

export type Stored = Named & { readonly body: Uint8Array };

/** One on its way to the file. */
export type Outgoing = Stored & { readonly usedAtMs: number };

/** Bodies cross in one piece: many small ones would each cost as much as that. */
export type Packed = {
  readonly named: readonly (Named & { readonly usedAtMs: number; readonly end: number })[];
  readonly bodies: Uint8Array;
};

export type Request = {
  /** Tell of all that the file holds, not only of what has come since the last answer. */
  readonly all: boolean;
} & (
  | { readonly kind: 'read'; readonly keys: readonly string[] }
  | { readonly kind: 'write'; readonly variants: Packed; readonly uses: readonly Use[]; readonly nowMs: number }
);

export type Answer = {
  /** What was known so far is no longer so: `came` is all there is. */
  readonly anew: boolean;
  readonly came: readonly Entry[];
  /** The keys of what has been removed. */
  readonly went: readonly string[];
  readonly found: readonly Stored[];
};

export type Failure = {
  readonly message: string;
  /** Somebody else has the file at the moment. */
  readonly busy: boolean;
  /** The file is not open any more. */
  readonly closed: boolean;
};

export type Reply = { readonly answer: Answer } | { readonly failure: Failure };
