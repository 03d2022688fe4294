// The settings that people and equipment wrote of demo units over the last months, in the order of time.

import { shelfOfType } from '../features/units/catalogue/catalogue.ts';
import { unitTypeCode } from '../features/places/unit-types.ts';
import { dayMs, hourMs, minuteMs } from './calendar.ts';
import { demoManagerId } from './managers.ts';
import type { DemoBank, DemoUnit } from './places.ts';
import type { Random } from './random.ts';
import { otherValue, settable } from './unit-values.ts';

export type Edit = {
  readonly unit: DemoUnit;
  readonly name: string;
  readonly value: string;
  /** MS2000. */
  readonly at: number;
  /** Null where the equipment wrote it: then nobody has to tell it. */
  readonly editorId: number | null;
};

type Context = { readonly bank: DemoBank; readonly currency: string; readonly now: number; readonly random: Random };

// The demo managers that may write: everywhere, in the first bank, at its first location.
const owner = demoManagerId('owner');
const bankManager = demoManagerId('bank');
const locationManager = demoManagerId('location');

const shareWithout = 0.25;
const mostSettings = 7;
const monthsBack = 6;

/** Unfinished errors by their numbers, as the equipment tells them. */
export const demoErrors: ReadonlyMap<number, string> = new Map([
  [12, 'Door does not lock'],
  [31, 'No water'],
  [47, 'Motor too hot'],
  [205, 'Sensor does not answer'],
]);

/** All edits of a bank. In one that is not in use nobody writes anything. */
export function demoEdits(context: Context): Edit[] {
  const { bank } = context;
  if (!bank.enabled) return [];
  return liveUnits(bank)
    .flatMap((unit, number) => [...chosenEdits(unit, context), ...outages(unit, number, context)])
    .toSorted((a, b) => a.at - b.at);
}

/** The units of a bank that nobody deleted, nor the location around them. */
export const liveUnits = ({ locations }: DemoBank): DemoUnit[] =>
  locations
    .filter(({ deletedAt }) => deletedAt === null)
    .flatMap(({ units }) => units.filter(({ deletedAt }) => deletedAt === null));

function chosenEdits(unit: DemoUnit, { bank, currency, now, random }: Context): Edit[] {
  if (random.chance(shareWithout)) return [];
  const { visible } = shelfOfType(unitTypeCode(unit.type));
  const names = [...visible.values()].filter((each) => each.editable && settable.has(each.name));
  const edits: Edit[] = [];
  for (let left = random.int(2, mostSettings); left > 0; left -= 1) {
    const [{ name, fallback } = random.pick(names)] = names.splice(random.int(0, names.length - 1), 1);
    let value = fallback;
    let at = now - monthsBack * 30 * dayMs;
    for (let times = random.int(1, 4); times > 0; times -= 1) {
      value = otherValue(name, value, currency, random);
      at += random.int(hourMs, 40 * dayMs);
      edits.push({ unit, name, value, at, editorId: editorOf(bank, unit, random) });
    }
  }
  return edits;
}

function editorOf({ bankId }: DemoBank, { locationId }: DemoUnit, random: Random): number {
  if (bankId !== 1001) return owner;
  return random.pick(locationId === 1 ? [owner, bankManager, locationManager] : [owner, bankManager]);
}

type Occasion = {
  readonly editor: number;
  /** Within the last hours, so that the equipment may not have heard of it yet. */
  readonly lately: number;
  readonly before: number;
  readonly error: string;
};

type Written = readonly [editorId: number | null, name: string, value: string, at: number];

/** By the number of a unit, within a dozen: put out of order by somebody or by itself; others were and work again. */
const outagesOf: Readonly<Record<number, (occasion: Occasion) => readonly Written[]>> = {
  2: ({ editor, lately }) => [
    [editor, 'OutOfOrder', 'true', lately],
    [editor, 'OutOfOrderText', 'Waiting for a spare part', lately + minuteMs],
  ],
  6: ({ error, lately }) => [[null, 'AutoOutOfOrder', error, lately]],
  8: ({ error, before }) => [
    [null, 'AutoOutOfOrder', error, before],
    [null, 'AutoOutOfOrder', '0', before + 3 * hourMs],
  ],
  10: ({ editor, before }) => [
    [editor, 'OutOfOrder', 'true', before],
    [editor, 'OutOfOrder', 'false', before + dayMs],
  ],
};

function outages(unit: DemoUnit, number: number, { bank, now, random }: Context): Edit[] {
  const occasion: Occasion = {
    editor: editorOf(bank, unit, random),
    lately: now - random.int(2, 170) * minuteMs,
    before: now - random.int(3, 60) * dayMs,
    error: String(random.pick([...demoErrors.keys()])),
  };
  const written = outagesOf[number % 12]?.(occasion) ?? [];
  return written.map(([editorId, name, value, at]) => ({ unit, name, value, at, editorId }));
}
