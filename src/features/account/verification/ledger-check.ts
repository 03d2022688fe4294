// Defines a check of a ledger. All checks see every posting once, in one pass over the ledger, and yield what differs.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';

export type StoredPosting = Tables['postings'];
export type StoredClosing = Tables['settlement_periods'];

/** Something stored that differs from what it should be. */
export type LedgerDifference = {
  /** A few words, the same for all differences of its kind. */
  readonly kind: string;
  /** The row that differs. */
  readonly key: string;
  /** Undefined if nothing is stored. */
  readonly stored: string | undefined;
  /** Undefined if nothing should be stored. */
  readonly computed: string | undefined;
};

export type LedgerDifferences = Iterable<LedgerDifference> | AsyncIterable<LedgerDifference>;

/** The ledger to be checked, in one snapshot. */
export type CheckedLedger = {
  readonly db: Db;
  readonly bank: WholeGrantedBank;
  readonly head: Tables['ledgers'];
  /** By period. */
  readonly closings: ReadonlyMap<number, StoredClosing>;
};

/** The numbers of checked things, by their names in the plural. */
export type CheckedCounts = Readonly<Record<string, number>>;

type RunningLedgerCheck = {
  /** Checks the next postings, in the order of their ids. */
  checkPostings?(rows: readonly StoredPosting[]): LedgerDifferences;
  /** Checks what can be decided only after the last posting. */
  finish?(): LedgerDifferences;
  /** Called after `finish`. */
  counts?(): CheckedCounts;
};

/** Starts a check of one ledger. It keeps only a batch and its own sums in memory. */
export type LedgerCheck = (ledger: CheckedLedger) => RunningLedgerCheck;
