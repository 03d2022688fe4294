// Plans what becomes of the lines of a request, in their order: a line can refer to one before it.

import { parseKey } from '../../residents/rules/resident-key.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { correctionOf, correctTime, isAhead, isCorrected, type DeviceClock } from './clock.ts';
import { containedVat } from '../../account/rules/posting-draft.ts';
import {
  decideMoneyLine,
  type BookDecision,
  type KeyHolder,
  type MoneyDecision,
  type RefundableUse,
} from './decide-money-line.ts';
import { hashLineContent, type StreamLine } from './parse-lines.ts';
import type { MoneyLine } from './money-line.ts';

/** What the lines say, and what is stored of what they name. */
export type MoneyKnowledge<U extends UnitKey = UnitKey> = {
  /** A malformed line has none. */
  readonly moneyOf: ReadonlyMap<StreamLine, MoneyLine>;
  readonly currency: string;
  readonly vatBasisPoints: number | null;
  /** The units of the computer, by their KIDs. */
  readonly units: ReadonlyMap<string, U>;
  /** By `formatKeyName`. */
  readonly keyHolders: ReadonlyMap<string, KeyHolder>;
  /** The contents of booked lines, by `formatRefName`. */
  readonly contents: ReadonlyMap<string, string>;
  /** By `formatRefName`. */
  readonly uses: ReadonlyMap<string, RefundableUse>;
};

export type PlannedLine<U extends UnitKey = UnitKey> = {
  readonly line: StreamLine;
  readonly money: MoneyLine | undefined;
  /** Undefined where the line names no unit of the computer. */
  readonly unit: U | undefined;
  /** The reference as it is stored. */
  readonly ref: string | null;
  /** The hash of its content; empty without a reference, since nothing is compared with it then. */
  readonly content: string;
  /** The time of the event, MS2000; undefined where it cannot be known. */
  readonly at: number | undefined;
  /** What was subtracted from the time of the device to get that of the event. */
  readonly correctionMs: number | undefined;
  /** How far the clock was ahead, where the time was corrected by it. */
  readonly clockOffsetMs: number | null;
  readonly refunded: RefundableUse | undefined;
  readonly decision: MoneyDecision;
};

type PlanContext = {
  readonly computerId: number;
  readonly clock: DeviceClock;
  readonly now: number;
  /** The contents of lines that earlier epochs of the stream have brought, and that were held. */
  readonly heldContents: ReadonlySet<string>;
};

export function planMoneyLines<U extends UnitKey>(
  lines: readonly StreamLine[],
  knowledge: MoneyKnowledge<U>,
  context: PlanContext,
): PlannedLine<U>[] {
  const contents = new Map(knowledge.contents);
  const uses = new Map(knowledge.uses);
  let bookedCount = 0;
  return lines.map((line) => {
    const planned = planMoneyLine(line, { ...knowledge, contents, uses }, context);
    const { decision, ref } = planned;
    if (decision.kind === 'hold' || decision.kind === 'other') return planned;
    if (ref !== null) contents.set(formatRefName(planned.unit, ref), planned.content);
    if (decision.kind !== 'book') return planned;
    rememberUse(uses, planned, decision, { plannedIndex: bookedCount, vatBasisPoints: knowledge.vatBasisPoints });
    bookedCount += 1;
    return planned;
  });
}

function planMoneyLine<U extends UnitKey>(
  line: StreamLine,
  knowledge: MoneyKnowledge<U>,
  { computerId, clock, now, heldContents }: PlanContext,
): PlannedLine<U> {
  const money = knowledge.moneyOf.get(line);
  const named = line.fields?.['unit'];
  const unit = typeof named === 'string' ? knowledge.units.get(named) : undefined;
  const content = hasReference(line) ? hashLineContent(line) : '';
  const ref = money?.ref === undefined ? null : storedRefOf(money.ref, unit, computerId);
  const correctionMs = money === undefined ? undefined : correctionOf(money.time, clock);
  const at = money === undefined || correctionMs === undefined ? undefined : correctTime(money.time, correctionMs);
  const refunded =
    money?.refundedRef === undefined ? undefined : knowledge.uses.get(formatRefName(unit, money.refundedRef));
  const isHeldBefore = hasReference(line) && heldContents.has(content);
  const decision = isHeldBefore
    ? isRepeat
    : decideMoneyLine(money, {
        at,
        isAhead: at !== undefined && isAhead(at, now),
        isUnitKnown: money?.unit === undefined || unit !== undefined,
        currency: knowledge.currency,
        content,
        knownContent: ref === null ? undefined : knowledge.contents.get(formatRefName(unit, ref)),
        keyHolder: findKeyHolder(knowledge, money?.key),
        refunded,
      });
  const clockOffsetMs =
    money !== undefined && 'at' in money.time && isCorrected(clock.offsetMs) ? clock.offsetMs : null;
  return { line, money, unit, ref, content, at, correctionMs, clockOffsetMs, refunded, decision };
}

const isRepeat: MoneyDecision = { kind: 'other' };

/** Only a line with a reference is known to be a repeat: two others can be equal. */
export const hasReference = ({ fields }: StreamLine): boolean => typeof fields?.['ref'] === 'string';

/** A reference of a line without a unit is unique for its computer. */
export const storedRefOf = (ref: string, unit: UnitKey | undefined, computerId: number): string =>
  unit === undefined ? `C${computerId}/${ref}` : ref;

export const formatRefName = (unit: UnitKey | undefined, ref: string): string =>
  `${unit?.locationId ?? 0}/${unit?.unitId ?? 0}/${ref}`;

export function findKeyHolder(
  { keyHolders }: Pick<MoneyKnowledge, 'keyHolders'>,
  key: string | undefined,
): KeyHolder | undefined {
  const name = key === undefined ? undefined : formatKeyName(key);
  return name === undefined ? undefined : keyHolders.get(name);
}

/** `Tag:04A21B33`; undefined where no key is written like this. */
export function formatKeyName(key: string): string | undefined {
  const parsed = parseKey(key);
  return 'value' in parsed ? `${parsed.value.kind}:${parsed.value.number}` : undefined;
}

/** A use can be refunded by the lines after it, and of a refunded one only the rest. */
function rememberUse(
  uses: Map<string, RefundableUse>,
  { money, unit, ref, refunded }: PlannedLine,
  { residentId, amountMinor }: BookDecision,
  { plannedIndex, vatBasisPoints }: { readonly plannedIndex: number; readonly vatBasisPoints: number | null },
): void {
  if (money?.kind === 'use' && ref !== null) {
    const { documentId = null, text } = money;
    const vatMinor = containedVat(amountMinor, vatBasisPoints);
    const source = { plannedIndex };
    uses.set(formatRefName(unit, ref), {
      residentId,
      documentId,
      text,
      amountMinor,
      vatMinor,
      leftMinor: -amountMinor,
      source,
    });
  }
  if (money?.kind === 'refund' && money.refundedRef !== undefined && refunded !== undefined)
    uses.set(formatRefName(unit, money.refundedRef), { ...refunded, leftMinor: refunded.leftMinor - amountMinor });
}
