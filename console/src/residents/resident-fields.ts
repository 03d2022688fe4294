// The fields of a resident that are texts: how they are called, what changes them, and how long they may be. The screens and
// forms of residents show them in this order.

import { maxLengths, type Resident, type ResidentCommand } from '../api/operations.ts';
import type { TextKey } from '../language/catalogue.ts';

export type FieldText = {
  readonly label: TextKey;
  /** What is told after a change. */
  readonly done: TextKey;
  readonly command: ResidentCommand;
  readonly type?: 'text' | 'email' | 'tel';
  readonly maxLength?: number;
  readonly help?: TextKey;
  /** It is where the resident lives, and changes when they move. */
  readonly isHome?: true;
};

const { NewResident } = maxLengths;

export const residentTexts = {
  name: { command: 'SetName', label: 'word.name', done: 'resident.nameSaved', maxLength: NewResident.name },
  email: {
    command: 'SetEmail',
    label: 'word.email',
    done: 'resident.emailSaved',
    type: 'email',
    maxLength: NewResident.email,
  },
  phone: {
    command: 'SetPhone',
    label: 'word.phone',
    done: 'resident.phoneSaved',
    type: 'tel',
    help: 'resident.phoneHelp',
  },
  apartment: {
    command: 'SetApartment',
    label: 'word.apartment',
    done: 'resident.apartmentSaved',
    maxLength: NewResident.apartment,
    isHome: true,
  },
} as const satisfies Partial<Record<keyof Resident, FieldText>>;

type Texts = typeof residentTexts;
export type ResidentText = keyof Texts;
export type HomeText = { [Name in ResidentText]: Texts[Name] extends { isHome: true } ? Name : never }[ResidentText];

export const residentTextNames = Object.keys(residentTexts) as ResidentText[];

export const homeTexts = residentTextNames.filter((name): name is HomeText => 'isHome' in residentTexts[name]);

export type TextCommand = Texts[ResidentText]['command'];

export const textsByCommand = Object.fromEntries(
  residentTextNames.map((name) => [residentTexts[name].command, name]),
) as Readonly<Record<TextCommand, ResidentText>>;

export const isTextCommand = (command: string): command is TextCommand => Object.hasOwn(textsByCommand, command);

/** What `of` makes of each of these texts. */
export const textsOf = <Name extends ResidentText, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
