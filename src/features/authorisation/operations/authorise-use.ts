// AuthoriseUse: answers a computer whether the holder of a key may use a unit now.

import type { Db } from '../../../database/db.ts';
import { todayIn } from '../../../lib/time/time-zone.ts';
import { requireLocationOf, type GrantedUnit, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import { listComputerUnits, type ComputerUnitRow } from '../../computers/queries/computer-units.ts';
import { listOpeningExceptions } from '../../opening-hours/queries/opening-exceptions.ts';
import { readOpeningSettings } from '../../opening-hours/queries/opening-settings.ts';
import { createLocalCalendar } from '../../opening-hours/rules/local-calendar.ts';
import { groupBySchedule } from '../../opening-hours/rules/opening-schedule.ts';
import { openStatusNow } from '../../opening-hours/rules/open-status.ts';
import { resolveLocationTimeZone, type TenantRegion } from '../../places/rules/location-time-zone.ts';
import { findResidentByKey, type KeyHolderRow } from '../../residents/queries/find-resident-by-key.ts';
import { parseKey } from '../../residents/rules/resident-key.ts';
import { findVisibleDefinition } from '../../units/catalogue/type-catalogue.ts';
import { findStoredSetting } from '../../units/queries/unit-values.ts';
import { effectiveText } from '../../units/rules/stored-text.ts';
import { findBookedBy } from '../queries/booked-by.ts';
import { decideAuthorisation, type Authorisation, type UnitFacts } from '../rules/decide-authorisation.ts';
import type { ComputerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatUserKid, parseKid } from '../../../lib/kid.ts';
import type { UseAuthorisation } from '../schemas.ts';

type AuthoriseUseInput = { readonly unit: string; readonly key: string };

export async function authoriseUse(context: ComputerContext, input: AuthoriseUseInput): Promise<UseAuthorisation> {
  const { bank, computer, tenant, now } = context;
  const asking = { bank, computerName: computer.name, region: tenant, now };
  const { allowed, reason, residentId } = await context.read((db) => readAuthorisation(db, asking, input));
  const residentKid = residentId === null ? null : formatUserKid(formatBankKid(bank.tenant, bank.bankId), residentId);
  return { allowed, reason, residentKid };
}

/** Who asks, and when (MS2000). */
type Asking = {
  readonly bank: WholeGrantedBank;
  readonly computerName: string;
  readonly region: TenantRegion;
  readonly now: number;
};

/** `unit` and `key` are texts of the computer: one that is malformed is unknown. */
async function readAuthorisation(
  db: Db,
  asking: Asking,
  { unit: unitText, key }: { readonly unit: string; readonly key: string },
): Promise<Authorisation> {
  const row = await findUnitOfComputer(db, asking, unitText);
  const [unit, holder] = await Promise.all([
    row === undefined ? undefined : readUnitFacts(db, asking, row),
    findHolder(db, asking.bank, key),
  ]);
  return decideAuthorisation({ unit, holder }, asking.now);
}

async function findUnitOfComputer(
  db: Db,
  { bank, computerName }: Asking,
  text: string,
): Promise<ComputerUnitRow | undefined> {
  const kid = parseKid(text, bank.tenant, ['unit']);
  if (kid === undefined || kid.bankId !== bank.bankId) return undefined;
  const rows = await listComputerUnits(db, bank, computerName);
  return rows.find(({ location_id, unit_id }) => location_id === kid.locationId && unit_id === kid.unitId);
}

async function findHolder(db: Db, bank: WholeGrantedBank, text: string): Promise<KeyHolderRow | undefined> {
  const parsed = parseKey(text);
  return 'value' in parsed ? findResidentByKey(db, bank, parsed.value) : undefined;
}

async function readUnitFacts(db: Db, asking: Asking, row: ComputerUnitRow): Promise<UnitFacts> {
  const unit = { ...requireLocationOf(asking.bank, row.location_id), unitId: row.unit_id };
  const readText = async (name: string): Promise<string | null> => {
    const definition = findVisibleDefinition(row, name);
    return definition === undefined
      ? null
      : effectiveText(definition, (await findStoredSetting(db, unit, name))?.value);
  };
  const [outOfOrder, errorId, accessMode, freeInOpeningHours, isOpen, bookedBy] = await Promise.all([
    readText('OutOfOrder'),
    readText('AutoOutOfOrder'),
    readText('AccessMode'),
    readText('FreeInOpeningHours'),
    readOpenStatus(db, asking, unit, row.time_zone),
    findBookedBy(db, unit, asking.now),
  ]);
  return {
    isEnabled: row.enabled === 1,
    isOutOfOrder: outOfOrder === 'true' || Number(errorId ?? 0) > 0,
    accessMode,
    isOpen,
    isFreeInOpeningHours: freeInOpeningHours === 'true',
    bookedBy,
  };
}

/** Null: unknown. */
async function readOpenStatus(
  db: Db,
  { region, now }: Asking,
  unit: GrantedUnit,
  storedTimeZone: string,
): Promise<boolean | null> {
  const timeZone = resolveLocationTimeZone(storedTimeZone, region);
  const today = todayIn(timeZone, now);
  // Intervals of yesterday can end today.
  const days = { fromDay: today.subtract({ days: 1 }).toString(), throughDay: today.toString() };
  const [texts, exceptions] = await Promise.all([readOpeningSettings(db, unit), listOpeningExceptions(db, unit, days)]);
  const ofUnit = new Map([[unit.unitId, texts.get(unit.unitId) ?? new Map<string, string>()]]);
  const [group] = groupBySchedule(ofUnit, exceptions);
  return group === undefined ? null : openStatusNow(group.schedule, createLocalCalendar(timeZone, now));
}
