// The fields of installers in an import, and their spelling. Pure.

import { createHash } from 'node:crypto';
import { parseEmail, parseName, parseText, type FieldResult } from '../../../../lib/values/field-values.ts';
import { formatBankKid, formatLocationKid, parseKid } from '../../../../lib/kid.ts';
import { mayHavePersonIcon } from '../../../icons/rules/person-icons.ts';
import type { InstallerFields } from '../../../installers/record-installers.ts';
import type { InstallerRow } from '../../../installers/queries/installers.ts';
import { foldTag, maxTagLength } from '../../../installers/rules/installer-search.ts';
import { maxPhoneLength } from '../../../residents/rules/phone.ts';
import { installerStates, toInstallerState, type InstallerState } from '../../../installers/rules/installer-states.ts';
import type { ImportColumn, RowValues } from '../../import-kind.ts';
import type { PlaceKey } from '../../queries/existing-places.ts';
import type { FieldParsers } from '../../rules/parse-fields.ts';

const defaultPersonIcon = 'person';
/** As many characters as its column has. */
const maxOrganisationLength = 200;

/** For the documentation. */
export const placeNames =
  'A KID, a key that only one has, or a key of locations of a bank, such as `sund-B1001/house-1`; a space in it is `%20`.';

export const installerColumns: readonly ImportColumn[] = [
  { field: 'name', description: 'Up to 200 characters.', example: 'Example Installer', isRequired: true },
  { field: 'email', description: 'An email address, or empty.', example: 'installer@example.com' },
  { field: 'phone', description: 'A phone number, or empty.', example: '+45 20 12 34 56' },
  { field: 'organisation', description: 'Up to 200 characters, or empty.', example: 'Example Service' },
  {
    field: 'state',
    description: '`active`, `invited` (has not accepted the invitation yet) or `disabled`. Empty: active.',
    example: 'active',
  },
  { field: 'tags', description: 'Separated by semicolons.', example: 'Laundry;Locks' },
  {
    field: 'locations',
    description: `The locations where they work, separated by spaces. ${placeNames}`,
    example: '',
    parsePlaces: parseLocations,
  },
  { field: 'icon', description: 'Name of an icon of a person. Empty: person.', example: 'person' },
];

const parseTags = (text: string): FieldResult => {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const tag = parseText(part, maxTagLength);
    if ('reason' in tag) return tag;
    if (tag.value !== '') tags.set(foldTag(tag.value), tag.value);
  }
  return { value: formatTags([...tags.values()]) };
};

const formatTags = (tags: readonly string[]): string =>
  tags.toSorted((a, b) => (foldTag(a) < foldTag(b) ? -1 : 1)).join(';');

/** The words of a text, each once. */
export const splitWords = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))];

const byPlace = (a: PlaceKey, b: PlaceKey): number => a.bankId - b.bankId || a.locationId - b.locationId;

/** Of places, which are looked up by their names. */
export const keepWords = (text: string): FieldResult => ({ value: splitWords(text).join(' ') });

function parseLocations(text: string, tenant: string): FieldResult {
  const kids = splitWords(text).map((word) => parseKid(word, tenant, ['location']));
  return kids.every((kid) => kid !== undefined)
    ? { value: formatLocations(kids, tenant) }
    : { reason: 'must be locations of this tenant, by keys or KIDs, separated by spaces' };
}

export const formatLocations = (places: readonly PlaceKey[], tenant: string): string =>
  places
    .toSorted(byPlace)
    .map(({ bankId, locationId }) => formatLocationKid(formatBankKid(tenant, bankId), locationId))
    .join(' ');

export const toLocations = (text: string, tenant: string): PlaceKey[] =>
  splitWords(text).flatMap((word) => {
    const kid = parseKid(word, tenant, ['location']);
    return kid === undefined ? [] : [{ bankId: kid.bankId, locationId: kid.locationId }];
  });

function parseState(text: string): FieldResult<InstallerState> {
  const wanted = text.trim() || 'active';
  const state = installerStates.find((each) => each === wanted);
  return state === undefined ? { reason: `must be one of ${installerStates.join(', ')}` } : { value: state };
}

/** An icon that can no longer be chosen is kept, but given to nobody else. */
export const parsePersonIcon = (text: string): FieldResult => {
  const icon = text.trim() || defaultPersonIcon;
  return mayHavePersonIcon(icon, defaultPersonIcon)
    ? { value: icon }
    : { reason: 'must be the name of an icon of a person' };
};

export const installerParsers: FieldParsers = {
  name: parseName,
  email: parseEmail,
  // Nothing is done with it but to show it.
  phone: (text) => parseText(text, maxPhoneLength),
  organisation: (text) => parseText(text, maxOrganisationLength),
  state: parseState,
  tags: parseTags,
  locations: keepWords,
  icon: parsePersonIcon,
};

type LocationValues = readonly [bankId: number, locationId: number, name: string];

export const toInstallerValues = (row: InstallerRow, tenant: string): RowValues => ({
  name: row.name,
  email: row.email,
  phone: row.phone,
  organisation: row.organisation,
  state: toInstallerState(row.state),
  tags: formatTags(JSON.parse(row.tags ?? '[]') as string[]),
  locations: formatLocations(
    (JSON.parse(row.locations ?? '[]') as LocationValues[]).map(([bankId, locationId]) => ({ bankId, locationId })),
    tenant,
  ),
  icon: row.person_icon,
});

/** `values` has all fields. */
export const toInstallerFields = (values: RowValues, tenant: string): InstallerFields => ({
  name: values['name'] ?? '',
  email: values['email'] ?? '',
  phone: values['phone'] ?? '',
  organisation: values['organisation'] ?? '',
  state: toInstallerState(values['state'] ?? ''),
  tags: (values['tags'] ?? '').split(';').filter((tag) => tag !== ''),
  locations: toLocations(values['locations'] ?? '', tenant),
  personIcon: values['icon'] ?? defaultPersonIcon,
});

/** Installers have no revision of all that they are: what differs has another hash. */
export const hashInstaller = (values: RowValues): string =>
  createHash('sha256')
    .update(JSON.stringify(installerColumns.map(({ field }) => values[field] ?? '')))
    .digest('base64url');
