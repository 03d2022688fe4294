// Decides what posting a row becomes, or why it becomes none. What it reverses or refunds decides by the rules of the
// ledger: only what ReverseBankAccountEntry could reverse is reversed, and no more is refunded than is left.

import { gdprUserId, guestId } from '../../../../lib/kid.ts';
import { containedVat, formatRefundReference, type PostingDraft } from '../../../account/rules/posting-draft.ts';
import { kinds, paymentKinds } from '../../../account/rules/posting-kinds.ts';
import {
  createCompensatingPosting,
  findIrreversibleReason,
  irreversibleReasons,
} from '../../../account/rules/reversal.ts';
import { isAhead } from '../../../inflow/rules/clock.ts';
import type { KeyedRow, RowError, RowValues } from '../../import-kind.ts';
import type { PostingKnowledge } from '../queries/postings-of-rows.ts';
import { resolveImportTime } from '../../rules/import-time.ts';
import type { OriginalPosting, OriginalPostings } from './original-postings.ts';
import { unknownCurrency } from '../../rules/decimal-fields.ts';
import { fieldError, unknownReference } from '../../rules/parse-fields.ts';

type PostingDecision =
  | { readonly draft: PostingDraft; readonly original?: OriginalPosting }
  /** It names a posting that a row before it may become. */
  | { readonly isWaiting: true }
  | { readonly errors: readonly RowError[] };

type Context = PostingKnowledge & { readonly known: OriginalPostings };

export function decidePosting({ values }: Pick<KeyedRow, 'values'>, context: Context): PostingDecision {
  const errors = listReferenceErrors(values, context);
  if (errors.length > 0) return { errors };
  const place = placeOf(values, context);
  const recordedAt = resolveImportTime(values['at'] ?? '', context.places.zoneOf(place.locationId));
  if (recordedAt === undefined)
    return { errors: [fieldError('at', 'invalid', 'must be a time that there is at the location')] };
  if (isAhead(recordedAt, context.now))
    return { errors: [fieldError('at', 'time-ahead', 'must not be in the future')] };
  const draft = toDraft(values, { ...context, ...place, recordedAt });
  const [field, name] = values['reverses'] ? ['reverses', values['reverses']] : ['refunds', values['refunds'] ?? ''];
  if (name === '') return { draft };
  const original = context.known.find(name);
  if (original === undefined) return { isWaiting: true };
  return field === 'reverses' ? decideReversal(values, draft, original) : decideRefund(values, draft, original);
}

function listReferenceErrors(values: RowValues, { places }: PostingKnowledge): RowError[] {
  const { resident = '', location = '', unit = '' } = values;
  const [locationId, unitFound] = [places.locations.get(location), places.units.get(unit)];
  const named = { resident: places.residents.get(resident), location: locationId, unit: unitFound };
  const unknown = Object.entries(named).filter(([field, found]) => (values[field] ?? '') !== '' && found === undefined);
  const errors = unknown.map(([field]) => unknownReference(field));
  if (locationId !== undefined && unitFound !== undefined && unitFound.locationId !== locationId)
    errors.push(fieldError('unit', 'invalid', 'must be a unit of the location'));
  return errors;
}

function placeOf({ location = '', unit = '' }: RowValues, { places }: PostingKnowledge) {
  const found = places.units.get(unit);
  return { locationId: found?.locationId ?? places.locations.get(location) ?? 0, unitId: found?.unitId ?? 0 };
}

type DraftContext = PostingKnowledge & {
  readonly locationId: number;
  readonly unitId: number;
  readonly recordedAt: number;
};

function toDraft(values: RowValues, context: DraftContext): PostingDraft {
  const {
    resident = '',
    anonymous,
    paymentKind = '',
    currency = '',
    document = '',
    text = '',
    internalTag = '',
  } = values;
  const kind = kinds.find((each) => each === values['kind']) ?? 'Unknown';
  const amountMinor = BigInt(values['amount'] ?? 0);
  const userId = context.places.residents.get(resident) ?? guestId;
  return {
    recordedAt: context.recordedAt,
    locationId: context.locationId,
    unitId: context.unitId,
    residentId: anonymous === 'true' ? gdprUserId : userId,
    kind,
    paymentKind: paymentKinds.find((each) => each === paymentKind) ?? '',
    currency: currency === '' ? context.currency : currency === unknownCurrency ? '' : currency,
    amountMinor,
    vatMinor: vatOf(values, kind === 'Consumption' || kind === 'Booking' ? context.vatBasisPoints : null),
    documentId: document === '' ? null : Number(document),
    text,
    internalTag: internalTag === '' ? null : Number(internalTag),
  };
}

/** Calculates the VAT as for lines that machines send if the file has no column of it. */
const vatOf = ({ vat, amount = '0' }: RowValues, basisPoints: number | null): bigint | null => {
  if (vat === undefined) return containedVat(BigInt(amount), basisPoints);
  return vat === '' ? null : BigInt(vat);
};

/** The fields that both have; what the row leaves open is as in the original. */
const comparedFields: readonly (readonly [field: string, key: keyof PostingDraft])[] = [
  ['location', 'locationId'],
  ['unit', 'unitId'],
  ['resident', 'residentId'],
  ['kind', 'kind'],
  ['currency', 'currency'],
  ['amount', 'amountMinor'],
  ['vat', 'vatMinor'],
  ['document', 'documentId'],
];

function decideReversal(values: RowValues, draft: PostingDraft, original: OriginalPosting): PostingDecision {
  if (original.isReversed)
    return { errors: [fieldError('reverses', 'already-reversed', 'names a posting that is reversed already')] };
  const reason = findIrreversibleReason(original, original.isHidden);
  if (reason !== undefined)
    return { errors: [{ field: 'reverses', code: reason, text: `reverses: ${irreversibleReasons[reason]}` }] };
  const reversal = createCompensatingPosting(original, draft.recordedAt);
  const errors = comparedFields.flatMap(([field, key]) =>
    (values[field] ?? '') === '' || draft[key] === reversal[key]
      ? []
      : [fieldError(field, 'invalid', 'must be as in the posting that it reverses')],
  );
  if (errors.length > 0) return { errors };
  return { draft: { ...reversal, text: values['text'] ?? reversal.text }, original };
}

function decideRefund(values: RowValues, draft: PostingDraft, original: OriginalPosting): PostingDecision {
  const charged = BigInt(original.amount_minor);
  const isUse = original.kind === kinds.indexOf('Consumption') && original.reversal_of === null && charged < 0n;
  if (!isUse) return { errors: [fieldError('refunds', 'invalid', 'must name a use')] };
  const leftMinor = original.isReversed ? 0n : -charged - original.refundedMinor;
  const { amountMinor } = draft;
  if (draft.kind !== 'Consumption' || amountMinor <= 0n || amountMinor > leftMinor)
    return {
      errors: [fieldError('amount', 'invalid', 'must be consumption above zero, and no more than is left of the use')],
    };
  const vatMinor = original.vat_minor === null ? null : (BigInt(original.vat_minor) * amountMinor) / charged;
  return {
    draft: {
      ...draft,
      vatMinor: values['vat'] === undefined ? vatMinor : (draft.vatMinor ?? null),
      paymentReference: formatRefundReference(original.posting_id),
    },
    original,
  };
}
