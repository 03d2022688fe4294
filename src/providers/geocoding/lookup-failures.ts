// The failed results of a search, each with a reason for the log.

import type { JsonAnswer } from '../http-client/json-client.ts';
import type { AddressMatch, LookupFailure, PostalCityMatch } from './geocoder.ts';

export type FailedLookup = {
  readonly outcome: LookupFailure;
  /** For the log. It contains nothing of the address. */
  readonly reason: string;
};

/** The result of an adapter: that of the port, with a reason if it is a failure. */
export type AddressAnswer = AddressMatch | FailedLookup;
export type PostalCityAnswer = PostalCityMatch | FailedLookup;

export const noResult = (reason: string): FailedLookup => ({ outcome: 'NoResult', reason });

/** The provider's answer does not follow its documentation: asking again would not help. */
export const unknownShape = (what: string): FailedLookup => ({
  outcome: 'PermanentFailure',
  reason: `an answer of another shape: ${what}`,
});

export const toFailedLookup = ({ failure, reason }: Extract<JsonAnswer, { ok: false }>): FailedLookup => ({
  outcome: failure,
  reason,
});
