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
import type { FieldTable, RowValues } from '../../import-kind.ts';
import type { PlaceKey } from '../../queries/existing-places.ts';
import { keepWords, placeNames, splitWords } from '../../rules/listed-places.ts';

const defaultPersonIcon = 'person';
/** Its column holds so many characters. */
const maxOrganisationLength = 200;

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

const byPlace = (a: PlaceKey, b: PlaceKey): number => a.bankId - b.bankId || a.locationId - b.locationId;

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

type LocationValues = readonly [bankId: number, locationId: number, name: string];

export const installerFields: FieldTable<InstallerRow> = {
  name: {
    description: 'Up to 200 characters.',
    example: 'Example Installer',
    isRequired: true,
    parse: parseName,
    write: ({ name }) => name,
  },
  email: {
    description: 'An email address, or empty.',
    example: 'installer@example.com',
    parse: parseEmail,
    write: ({ email }) => email,
  },
  phone: {
    description: 'A phone number, or empty.',
    example: '+45 20 12 34 56',
    // Nothing is done with it but to show it.
    parse: (text) => parseText(text, maxPhoneLength),
    write: ({ phone }) => phone,
  },
  organisation: {
    description: 'Up to 200 characters, or empty.',
    example: 'Example Service',
    parse: (text) => parseText(text, maxOrganisationLength),
    write: ({ organisation }) => organisation,
  },
  state: {
    description: '`active`, `invited` (has not accepted the invitation yet) or `disabled`. Empty: active.',
    example: 'active',
    parse: parseState,
    write: ({ state }) => toInstallerState(state),
  },
  tags: {
    description: 'Separated by semicolons.',
    example: 'Laundry;Locks',
    parse: parseTags,
    write: ({ tags }) => formatTags(JSON.parse(tags ?? '[]') as string[]),
  },
  locations: {
    description: `The locations where they work, separated by spaces. ${placeNames}`,
    example: '',
    parsePlaces: parseLocations,
    parse: keepWords,
    write: ({ locations }, { tenant }) =>
      formatLocations(
        (JSON.parse(locations ?? '[]') as LocationValues[]).map(([bankId, locationId]) => ({ bankId, locationId })),
        tenant.name,
      ),
  },
  icon: {
    description: 'Name of an icon of a person. Empty: person.',
    example: defaultPersonIcon,
    parse: parsePersonIcon,
    write: ({ person_icon: icon }) => icon,
  },
};

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
    .update(JSON.stringify(Object.keys(installerFields).map((field) => values[field] ?? '')))
    .digest('base64url');
