// Which coding an Accept-Encoding field prefers (RFC 9110, 12.5.3).

import Negotiator from 'negotiator';
import { codings, type Coding } from './codings.ts';

export type CodingChoice = {
  /** Undefined: as it is. */
  readonly coding: Coding | undefined;
  /** Whether the client takes it as it is. */
  readonly takesIdentity: boolean;
};

const offered = [...codings, 'identity'];

/** The types of the library lack the second parameter, which decides between codings of the same weight. */
type ListEncodings = (available: readonly string[], options: { readonly preferred: readonly string[] }) => string[];

/** A client that takes nothing that there is gets it as it is: the RFC allows that, and no client is helped by a 406. */
export function negotiateCoding(acceptEncoding: string): CodingChoice {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const listed = (negotiator.encodings as ListEncodings).call(negotiator, offered, { preferred: offered });
  return { coding: codings.find((coding) => coding === listed[0]), takesIdentity: listed.includes('identity') };
}
