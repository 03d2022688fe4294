// The fields of installers. Schemas, rows, the audit log, imports and exports follow from this table, in its order.

import { Type, type TSchema } from 'typebox';
import { namedEnum } from '../../http/schemas/named-schemas.ts';
import { formatKid, parseKid } from '../../lib/kid.ts';
import {
  maxEmailOctets,
  parseEmail,
  parseName,
  parseText,
  splitWords,
  type FieldResult,
} from '../../lib/values/field-values.ts';
import { fieldNamesWith, namesOf, recordOf, type TextField } from '../../lib/values/fields.ts';
import { defaultPersonIcon, parsePersonIcon } from '../icons/rules/person-icons.ts';
import { LocationReference } from '../places/schemas.ts';
import { maxPhoneLength } from '../residents/rules/phone.ts';
import type { InstallerRow } from './queries/installers.ts';
import { foldTag, maxTagLength } from './rules/installer-search.ts';
import { installerStates, toInstallerState, type InstallerState } from './rules/installer-states.ts';

/** Its column holds so many characters. */
const maxOrganisationLength = 200;
export const stateText = 'invited: has not accepted the invitation yet; disabled: may not work any more.';

type LocationIds = { readonly bankId: number; readonly locationId: number };

type InstallerField = TextField<InstallerRow> & {
  /** Is never in the audit log. */
  readonly isPersonal?: true;
  readonly output: TSchema;
  /** The value of a text in its one spelling. */
  readonly read: (text: string, tenant: string) => unknown;
};

const asText = (text: string): string => text;

export const installerFields = {
  name: {
    isPersonal: true,
    output: Type.String(),
    imported: { description: 'Up to 200 characters.', example: 'Example Installer', isRequired: true },
    parse: parseName,
    read: asText,
    write: ({ name }) => name,
  },
  email: {
    isPersonal: true,
    output: Type.String({ maxLength: maxEmailOctets, description: 'Empty if unknown.' }),
    imported: { description: 'An email address, or empty.', example: 'installer@example.com' },
    parse: parseEmail,
    read: asText,
    write: ({ email }) => email,
  },
  phone: {
    isPersonal: true,
    output: Type.String({ description: 'Empty if unknown.' }),
    imported: { description: 'A phone number, or empty.', example: '+45 20 12 34 56' },
    // Nothing is done with it but to show it.
    parse: (text) => parseText(text, maxPhoneLength),
    read: asText,
    write: ({ phone }) => phone,
  },
  organisation: {
    isPersonal: true,
    output: Type.String({ description: 'Empty if unknown.' }),
    imported: { description: 'Up to 200 characters, or empty.', example: 'Example Service' },
    parse: (text) => parseText(text, maxOrganisationLength),
    read: asText,
    write: ({ organisation }) => organisation,
  },
  state: {
    output: namedEnum('InstallerState', installerStates, stateText),
    imported: {
      description: '`active`, `invited` (has not accepted the invitation yet) or `disabled`. Empty: active.',
      example: 'active',
    },
    parse: parseState,
    read: toInstallerState,
    write: ({ state }) => toInstallerState(state),
  },
  tags: {
    isPersonal: true,
    output: Type.Array(Type.String()),
    imported: { description: 'Separated by semicolons.', example: 'Laundry;Locks' },
    parse: parseTags,
    read: (text): readonly string[] => text.split(';').filter((tag) => tag !== ''),
    write: (row) => tagsOf(row).join(';'),
  },
  locations: {
    isPersonal: true,
    output: Type.Array(LocationReference, { description: 'Where the installer works.' }),
    imported: { description: 'The locations where they work, separated by spaces.', example: '' },
    parse: parseLocations,
    read: (text, tenant): readonly LocationIds[] =>
      splitWords(text).flatMap((word) => parseKid(word, tenant, ['location']) ?? []),
    write: (row, tenant) => formatLocations(locationsOf(row), tenant),
  },
  icon: {
    output: Type.String({ description: 'KID of the person icon.' }),
    imported: { description: 'Name of an icon of a person. Empty: person.', example: defaultPersonIcon },
    parse: parsePersonIcon,
    read: asText,
    write: ({ person_icon: icon }) => icon,
  },
} as const satisfies Readonly<Record<string, InstallerField>>;

type Fields = typeof installerFields;
export type InstallerFields = { readonly [Name in keyof Fields]: ReturnType<Fields[Name]['read']> };

const fieldNames = namesOf(installerFields);

const personalFields = fieldNamesWith(installerFields, 'isPersonal');

/** The fields in the order of the audit log. */
export const recordedInstallerFields = [...new Set([...personalFields, ...fieldNames])];

export const isPersonalOfInstaller = (field: keyof InstallerFields): field is (typeof personalFields)[number] =>
  'isPersonal' in installerFields[field];

/** The fields of texts as imports have them. */
export const toInstallerFields = (texts: Readonly<Record<string, string>>, tenant: string): InstallerFields =>
  recordOf(fieldNames, (name) => installerFields[name].read(texts[name] ?? '', tenant)) as InstallerFields;

/** In alphabetical order. */
export const tagsOf = ({ tags }: Pick<InstallerRow, 'tags'>): string[] =>
  sortTags(JSON.parse(tags ?? '[]') as string[]);

const sortTags = (tags: readonly string[]): string[] => tags.toSorted((a, b) => (foldTag(a) < foldTag(b) ? -1 : 1));

function parseTags(text: string): FieldResult {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const tag = parseText(part, maxTagLength);
    if ('reason' in tag) return tag;
    if (tag.value !== '') tags.set(foldTag(tag.value), tag.value);
  }
  return { value: sortTags([...tags.values()]).join(';') };
}

type NamedLocation = LocationIds & { readonly name: string };

/** Those that are not deleted, in the order of their ids. */
export const locationsOf = ({ locations }: Pick<InstallerRow, 'locations'>): NamedLocation[] =>
  (JSON.parse(locations ?? '[]') as [number, number, string][])
    .map(([bankId, locationId, name]) => ({ bankId, locationId, name }))
    .toSorted(byIds);

const byIds = (a: LocationIds, b: LocationIds): number => a.bankId - b.bankId || a.locationId - b.locationId;

const formatLocations = (places: readonly LocationIds[], tenant: string): string =>
  places.map(({ bankId, locationId }) => formatKid({ type: 'location', tenant, bankId, locationId })).join(' ');

function parseLocations(text: string, tenant: string): FieldResult {
  const kids = splitWords(text).map((word) => parseKid(word, tenant, ['location']));
  return kids.every((kid) => kid !== undefined)
    ? { value: formatLocations(kids.toSorted(byIds), tenant) }
    : { reason: 'must be locations of this tenant, by keys or KIDs, separated by spaces' };
}

function parseState(text: string): FieldResult<InstallerState> {
  const wanted = text.trim() || 'active';
  const state = installerStates.find((each) => each === wanted);
  return state === undefined ? { reason: `must be one of ${installerStates.join(', ')}` } : { value: state };
}
