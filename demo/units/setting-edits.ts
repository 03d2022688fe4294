// Generates the edits of demo units' settings over the last months, by managers and equipment, in order of time.

import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { getDemoManagerId } from '../managers.ts';
import type { DemoBank, DemoUnit } from '../places/places.ts';
import type { Random } from '../random.ts';
import { pickOtherValue, settableSettings } from './example-values.ts';
import { dayMs, hourMs, minuteMs } from '../../src/lib/time/durations.ts';

export type SettingEdit = {
  readonly unit: DemoUnit;
  readonly name: string;
  readonly value: string;
  /** MS2000. */
  readonly editedAt: number;
  /** Null if the equipment wrote it and so need not be told. */
  readonly editorId: number | null;
};

type EditContext = {
  readonly bank: DemoBank;
  readonly currency: string;
  readonly now: number;
  readonly random: Random;
};

// The demo managers who may write: everywhere, in the first bank, and at its first location.
const owner = getDemoManagerId('owner');
const bankManager = getDemoManagerId('bank');
const locationManager = getDemoManagerId('location');

const shareWithoutEdits = 0.25;
const maxEditedSettings = 7;
const monthsBack = 6;

/** Unresolved errors by number, as the equipment reports them. */
export const demoErrors: ReadonlyMap<number, string> = new Map([
  [12, 'Door does not lock'],
  [31, 'No water'],
  [47, 'Motor too hot'],
  [205, 'Sensor does not answer'],
]);

/** All edits of a bank. A disabled bank has none. */
export function createDemoEdits(context: EditContext): SettingEdit[] {
  const { bank } = context;
  if (!bank.enabled) return [];
  return liveUnits(bank)
    .flatMap((unit, number) => [...createRandomEdits(unit, context), ...createOutageEdits(unit, number, context)])
    .toSorted((a, b) => a.editedAt - b.editedAt);
}

/** The units of a bank that are not deleted and whose location is not deleted. */
export const liveUnits = ({ locations }: DemoBank): DemoUnit[] =>
  locations
    .filter(({ deletedAt }) => deletedAt === null)
    .flatMap(({ units }) => units.filter(({ deletedAt }) => deletedAt === null));

function createRandomEdits(unit: DemoUnit, { bank, currency, now, random }: EditContext): SettingEdit[] {
  if (random.chance(shareWithoutEdits)) return [];
  const { visibleByName } = typeCatalogueOf(unitTypeCode(unit.type));
  const names = [...visibleByName.values()].filter((each) => each.editable && settableSettings.has(each.name));
  const edits: SettingEdit[] = [];
  for (let left = random.int(2, maxEditedSettings); left > 0; left -= 1) {
    const [{ name, fallback } = random.pick(names)] = names.splice(random.int(0, names.length - 1), 1);
    let value = fallback;
    let editedAt = now - monthsBack * 30 * dayMs;
    for (let times = random.int(1, 4); times > 0; times -= 1) {
      value = pickOtherValue(name, value, currency, random);
      editedAt += random.int(hourMs, 40 * dayMs);
      edits.push({ unit, name, value, editedAt, editorId: pickEditor(bank, unit, random) });
    }
  }
  return edits;
}

function pickEditor({ bankId }: DemoBank, { locationId }: DemoUnit, random: Random): number {
  if (bankId !== 1001) return owner;
  return random.pick(locationId === 1 ? [owner, bankManager, locationManager] : [owner, bankManager]);
}

type OutageContext = {
  readonly editor: number;
  /** Within the last hours, so that the equipment may not have received it yet. */
  readonly recentAt: number;
  readonly earlierAt: number;
  readonly error: string;
};

type WrittenSetting = readonly [editorId: number | null, name: string, value: string, at: number];

/**
 * By a unit's number within a dozen. Some units are out of order, set by a manager or by themselves; others were and
 * work again.
 */
const outagesByUnitNumber: Readonly<Record<number, (occasion: OutageContext) => readonly WrittenSetting[]>> = {
  2: ({ editor, recentAt }) => [
    [editor, 'OutOfOrder', 'true', recentAt],
    [editor, 'OutOfOrderText', 'Waiting for a spare part', recentAt + minuteMs],
  ],
  6: ({ error, recentAt }) => [[null, 'AutoOutOfOrder', error, recentAt]],
  8: ({ error, earlierAt }) => [
    [null, 'AutoOutOfOrder', error, earlierAt],
    [null, 'AutoOutOfOrder', '0', earlierAt + 3 * hourMs],
  ],
  10: ({ editor, earlierAt }) => [
    [editor, 'OutOfOrder', 'true', earlierAt],
    [editor, 'OutOfOrder', 'false', earlierAt + dayMs],
  ],
};

function createOutageEdits(unit: DemoUnit, number: number, { bank, now, random }: EditContext): SettingEdit[] {
  const occasion: OutageContext = {
    editor: pickEditor(bank, unit, random),
    recentAt: now - random.int(2, 170) * minuteMs,
    earlierAt: now - random.int(3, 60) * dayMs,
    error: String(random.pick([...demoErrors.keys()])),
  };
  const written = outagesByUnitNumber[number % 12]?.(occasion) ?? [];
  return written.map(([editorId, name, value, editedAt]) => ({ unit, name, value, editedAt, editorId }));
}
