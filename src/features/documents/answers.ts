// Makes the answer of a search of documents from rows.

import { formatBankKid, formatDocumentKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { createTimeZoneResolver } from '../places/rules/location-time-zone.ts';
import { typeCodeOf, unitTypeIconOf } from '../places/rules/unit-types.ts';
import type { FoundDocumentRow, SearchedLocationRow, SearchedUnitRow } from './queries/search-documents.ts';
import type { DocumentSearch } from './schemas.ts';

type SearchContext = { readonly tenant: Tenant; readonly bankId: number; readonly language: Language };

/** The names of the places that a search covers; items show them. */
type SearchedPlaces = {
  readonly locations: readonly SearchedLocationRow[];
  readonly units: readonly SearchedUnitRow[];
};

export function toFoundDocuments(
  rows: readonly FoundDocumentRow[],
  { locations, units }: SearchedPlaces,
  { tenant, bankId, language }: SearchContext,
): DocumentSearch['items'] {
  const bankKid = formatBankKid(tenant.name, bankId);
  const locationsById = new Map(locations.map((location) => [location.location_id, location]));
  const resolveTimeZone = createTimeZoneResolver(tenant);
  const searched = new Set(rows.map(({ location_id }) => location_id));
  const unitsByKey = new Map(
    units
      .filter(({ location_id }) => searched.has(location_id))
      .map((unit) => [`${unit.location_id}/${unit.unit_id}`, unit]),
  );
  return rows.flatMap(({ location_id, unit_id, document_id, at }) => {
    const unit = unitsByKey.get(`${location_id}/${unit_id}`);
    if (unit === undefined) return [];
    const code = typeCodeOf(unit);
    const location = locationsById.get(location_id);
    const locationKid = formatLocationKid(bankKid, location_id);
    const unitKid = formatUnitKid(locationKid, unit_id);
    return [
      {
        kid: formatDocumentKid(unitKid, document_id),
        locationKid,
        unitKid,
        locationName: location?.name ?? '',
        timeZone: resolveTimeZone(location?.time_zone ?? ''),
        unitName: localiseName(unit.name, language),
        unitIconKid: unitTypeIconOf(code),
        unitType: code ?? null,
        lastActivityUtc: formatUtc(at),
      },
    ];
  });
}

export function toSearchedPlaces(
  { locations, units }: SearchedPlaces,
  { tenant, bankId, language }: SearchContext,
): Pick<DocumentSearch, 'locations' | 'units'> {
  const bankKid = formatBankKid(tenant.name, bankId);
  const locationKids = new Map(locations.map(({ location_id: id }) => [id, formatLocationKid(bankKid, id)]));
  // Among thousands of units, many have the same name in different locations.
  const shownNames = new Map<string, string>();
  const localise = (name: string): string => {
    const shown = shownNames.get(name) ?? localiseName(name, language);
    shownNames.set(name, shown);
    return shown;
  };
  return {
    locations: locations.map(({ location_id, name }) => ({ kid: locationKids.get(location_id) ?? '', name })),
    units: units.map(({ location_id, unit_id, name }) => {
      const locationKid = locationKids.get(location_id) ?? formatLocationKid(bankKid, location_id);
      return { kid: formatUnitKid(locationKid, unit_id), name: localise(name), locationKid };
    }),
  };
}
