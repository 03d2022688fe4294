// The fields of a resident: how they are called, what changes them, and how long they may be. The screens and forms of
// residents follow from this table, in its order.

import { longestTexts } from '../api/limits.ts';
import type { Resident, ResidentCommand } from '../api/operations.ts';
import type { TextKey } from '../language/catalogue.ts';

export type FieldText = {
  readonly command: ResidentCommand;
  readonly label: TextKey;
  /** What is told after a change. */
  readonly done: TextKey;
  readonly maxLength?: number;
  readonly help?: TextKey;
  /** A text on where the resident lives, which changes when they move. */
  readonly isHome?: true;
};

const { CreateBankUser: longest } = longestTexts;

export const residentFields = {
  name: { command: 'SetName', label: 'word.name', done: 'resident.nameSaved', maxLength: longest.name },
  email: { command: 'SetEmail', label: 'word.email', done: 'resident.emailSaved', maxLength: longest.email },
  phone: { command: 'SetPhone', label: 'word.phone', done: 'resident.phoneSaved', help: 'resident.phoneHelp' },
  apartment: {
    command: 'SetApartment',
    label: 'word.apartment',
    done: 'resident.apartmentSaved',
    maxLength: longest.apartment,
    isHome: true,
  },
  locationKid: { command: 'SetLocation', label: 'word.location', done: 'resident.locationSaved' },
  language: { command: 'SetLanguage', label: 'menu.language', done: 'resident.languageSaved' },
} as const satisfies Partial<Record<keyof Resident, FieldText>>;

type Fields = typeof residentFields;
export type ResidentField = keyof Fields;
export type HomeField = {
  [Name in ResidentField]: Fields[Name] extends { isHome: true } ? Name : never;
}[ResidentField];

export const fieldNames = Object.keys(residentFields) as ResidentField[];
export const homeFields = fieldNames.filter((name): name is HomeField => 'isHome' in residentFields[name]);

/** Undefined if the command changes something else. */
export const findField = (command: string): ResidentField | undefined =>
  fieldNames.find((name) => residentFields[name].command === command);

/** What `of` makes of each of these fields. */
export const recordOf = <Name extends ResidentField, Value>(names: readonly Name[], of: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
