// Why a search failed, with a reason for the log.

import type { JsonAnswer } from '../http-client/json-client.ts';
import type { AddressMatch, LookupFailure, PostalCityMatch } from './geocoder.ts';

export type FailedLookup = {
  readonly outcome: LookupFailure;
  /** For the log. Holds nothing of the address. */
  readonly reason: string;
};

/** What an adapter answers: the results of the port, with a reason where there is none. */
export type AddressLookup = AddressMatch | FailedLookup;
export type PostalCityLookup = PostalCityMatch | FailedLookup;

export const noResult = (reason: string): FailedLookup => ({ outcome: 'NoResult', reason });

/** The provider answers otherwise than it is documented to: to ask again would not help. */
export const unknownShape = (what: string): FailedLookup => ({
  outcome: 'PermanentFailure',
  reason: `an answer of another shape: ${what}`,
});

export const toFailedLookup = ({ failure, reason }: Extract<JsonAnswer, { ok: false }>): FailedLookup => ({
  outcome: failure,
  reason,
});
