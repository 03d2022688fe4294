// Checks the chains of the audit log.

import type { Tables } from '../../../database/tables.ts';
import { computeAuditLink, initialAuditLink } from './hash-chain.ts';

type AuditHead = Pick<Tables['audit_heads'], 'sequence' | 'link'>;
type StoredEntry = Tables['audit_entries'];

/** The number and the link of the last entry, as an earlier verification printed them. */
export type RecordedHead = Pick<StoredEntry, 'sequence' | 'link'>;

/** Something stored that differs from what it should be. */
type AuditDifference = {
  readonly kind: 'edited' | 'missing' | 'inserted' | 'head' | 'replaced' | 'shortened';
  /** A number or a range, such as `5` or `5 to 7`. */
  readonly entries: string;
};

export type CheckedChain = {
  readonly chain: number;
  readonly entryCount: number;
  /** The last entry; undefined if there is none. */
  readonly last: RecordedHead | undefined;
  /** The first difference of each kind, with the number of differences of that kind. */
  readonly differences: readonly (AuditDifference & { readonly count: number })[];
};

/**
 * Checks the entries of one chain in the order of their numbers, and then its head. The numbers of each chain run from
 * 1 to the head without a gap, and each link follows from the previous link and the entry. After a missing entry the
 * next link cannot be computed and is accepted. A last entry that was noted outside the database must still exist: if a
 * chain was recomputed, the link of that entry is different.
 */
export class ChainCheck {
  readonly chain: number;
  readonly #recorded: RecordedHead | undefined;
  #count = 0;
  #last: Pick<StoredEntry, 'sequence' | 'link'> = { sequence: 0, link: initialAuditLink };
  readonly #differences = new Map<AuditDifference['kind'], AuditDifference & { count: number }>();

  constructor(chain: number, recorded?: RecordedHead) {
    this.chain = chain;
    this.#recorded = recorded;
  }

  add({ link, ...entry }: StoredEntry): void {
    this.#count += 1;
    const { sequence } = entry;
    const expected = this.#last.sequence + 1;
    // Numbers are unique, so an unexpected lower number is before the first.
    if (sequence < 1) return this.#report('inserted', String(sequence));
    if (sequence > expected) this.#report('missing', formatRange(expected, sequence - 1));
    else if (computeAuditLink(this.#last.link, entry) !== link) this.#report('edited', String(sequence));
    if (sequence === this.#recorded?.sequence && link !== this.#recorded.link)
      this.#report('replaced', String(sequence));
    this.#last = { sequence, link };
  }

  /** Undefined if the chain has no head. */
  finish(head: AuditHead | undefined): CheckedChain {
    const { sequence, link } = this.#last;
    const recordedSequence = this.#recorded?.sequence ?? 0;
    if (recordedSequence > sequence) this.#report('shortened', formatRange(sequence + 1, recordedSequence));
    if (head === undefined) this.#report('head', 'none');
    else if (head.sequence > sequence) this.#report('missing', formatRange(sequence + 1, head.sequence));
    else if (head.sequence < sequence) this.#report('inserted', formatRange(head.sequence + 1, sequence));
    else if (head.link !== link) this.#report('head', String(sequence));
    return {
      chain: this.chain,
      entryCount: this.#count,
      last: sequence === 0 ? undefined : { sequence, link },
      differences: [...this.#differences.values()],
    };
  }

  #report(kind: AuditDifference['kind'], entries: string): void {
    const found = this.#differences.get(kind);
    if (found === undefined) this.#differences.set(kind, { kind, entries, count: 1 });
    else found.count += 1;
  }
}

const formatRange = (first: number, last: number): string => (first === last ? String(first) : `${first} to ${last}`);
