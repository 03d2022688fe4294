// Chooses the coding that an Accept-Encoding field prefers (RFC 9110, 12.5.3).

import Negotiator from 'negotiator';
import { codings, type Coding } from './codings.ts';

export type CodingChoice = {
  /** Undefined: the answer is sent uncompressed. */
  readonly coding: Coding | undefined;
  /** Whether the client accepts an uncompressed answer. */
  readonly takesIdentity: boolean;
};

const offered = [...codings, 'identity'];

/** The types of the library lack the second parameter, which orders codings of the same weight. */
type ListEncodings = (available: readonly string[], options: { readonly preferred: readonly string[] }) => string[];

/**
 * A client that accepts no available coding gets the answer uncompressed: the RFC allows that, and a 406 helps no
 * client.
 */
export function negotiateCoding(acceptEncoding: string): CodingChoice {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const listed = (negotiator.encodings as ListEncodings).call(negotiator, offered, { preferred: offered });
  return { coding: codings.find((coding) => coding === listed[0]), takesIdentity: listed.includes('identity') };
}
