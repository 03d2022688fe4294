// Formats postings as the fields of imports.

import { gdprUserId, guestId, formatPostingKid } from '../../../../lib/kid.ts';
import { formatUtc } from '../../../../lib/time/ms2000.ts';
import { kindFromCode, paymentKindFromCode } from '../../../account/rules/posting-kinds.ts';
import { parseRefundReference } from '../../../account/rules/posting-draft.ts';
import type { RowValues } from '../../import-kind.ts';
import type { ExportedPosting } from '../queries/exported-postings.ts';
import { isHiddenPosting, type PostingKnowledge } from '../queries/postings-of-rows.ts';
import { spellLike } from '../../rules/import-time.ts';
import { unknownCurrency } from '../../rules/decimal-fields.ts';
import type { PostingField } from './posting-fields.ts';
import { createSharedKids, type SharedKids } from '../../rules/bank-kids.ts';

type ValuedPosting = Omit<ExportedPosting, 'resident_expired_at' | 'original_at'>;

const textOf = (value: number | bigint | null): string => (value === null ? '' : String(value));

type PostingFormat = {
  readonly isAnonymous?: boolean;
  /** Those of the bank, where there are many postings. */
  readonly kids?: SharedKids;
};

/** Every field of a posting, each in its one spelling. Where its identity is not shown, it is anonymous. */
export function toPostingValues(
  row: ValuedPosting,
  bankKid: string,
  { isAnonymous = false, kids = createSharedKids(bankKid) }: PostingFormat = {},
): Record<PostingField, string> {
  const isHidden = isAnonymous || row.user_id === gdprUserId;
  const refunded = parseRefundReference(row.payment_reference);
  return {
    at: formatUtc(row.recorded_at),
    resident: isHidden || row.user_id === guestId ? '' : kids.user(row.user_id),
    anonymous: isHidden ? 'true' : '',
    location: row.location_id === 0 ? '' : kids.location(row.location_id),
    unit: row.location_id === 0 || row.unit_id === 0 ? '' : kids.unit(row.location_id, row.unit_id),
    kind: kindFromCode(row.kind),
    paymentKind: paymentKindFromCode(row.payment_kind),
    amount: String(row.amount_minor),
    currency: row.currency === '' ? unknownCurrency : row.currency,
    vat: textOf(row.vat_minor),
    // A document and a link would tell whose postings belong together.
    document: isHidden ? '' : textOf(row.document_id),
    text: isHidden ? kindFromCode(row.kind) : row.text,
    internalTag: isHidden ? '' : textOf(row.internal_tag),
    reverses: isHidden || row.reversal_of === null ? '' : formatPostingKid(bankKid, row.reversal_of),
    refunds: isHidden || refunded === undefined ? '' : formatPostingKid(bankKid, refunded),
  };
}

/**
 * Writes the values in the spelling of a row wherever the row means the same: what it leaves open has no difference.
 */
export function toValuesLike(
  row: Parameters<typeof isHiddenPosting>[0] & ValuedPosting,
  given: RowValues,
  knowledge: PostingKnowledge,
): RowValues {
  const { originals, places, currency, isHidden } = knowledge;
  const isAnonymous = isHiddenPosting(row, isHidden);
  const values = toPostingValues(row, knowledge.bankKid, { isAnonymous });
  const likeOriginal = (field: 'reverses' | 'refunds'): string => {
    const named = given[field] ?? '';
    const original = originals.get(named);
    const isSame = original !== undefined && formatPostingKid(knowledge.bankKid, original.posting_id) === values[field];
    return isSame ? named : values[field];
  };
  return {
    ...values,
    text: !isAnonymous && given['text'] === row.text ? row.text : values.text,
    at: spellLike(given['at'], row.recorded_at, places.zoneOf(row.location_id)),
    location: given['location'] === '' && row.unit_id !== 0 ? '' : values.location,
    currency: given['currency'] === '' && row.currency === currency ? '' : values.currency,
    reverses: likeOriginal('reverses'),
    refunds: likeOriginal('refunds'),
    ...(row.reversal_of === null ? {} : leftOpen(given, values)),
  };
}

/** A reversal takes from its original what the row leaves empty. */
const leftOpen = (given: RowValues, values: RowValues): RowValues =>
  Object.fromEntries(
    ['location', 'unit', 'resident', 'currency', 'vat', 'document'].flatMap((field) =>
      given[field] === '' && values[field] !== '' ? [[field, '']] : [],
    ),
  );
