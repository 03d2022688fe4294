// Finds the postings of a settlement period by their ids. Ids have no gaps and periods follow one another, so a period is
// one range of ids.

import type { WholeGrantedBank } from '../../../permissions/coverage.ts';

/** Ids of a bank's postings, both ends included. */
export type PostingRange = { readonly bank: WholeGrantedBank; readonly first: number; readonly last: number };

/** The range of a period, from the number of postings in earlier periods and in the period itself. */
export const createPostingRange = (bank: WholeGrantedBank, earlierCount: number, count: number): PostingRange => ({
  bank,
  first: earlierCount + 1,
  last: earlierCount + count,
});

export const countRange = ({ first, last }: PostingRange): number => last - first + 1;
