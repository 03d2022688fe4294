// Parses the value of a command into what it changes.

import { missing, type FieldFault } from '../../../lib/values/field-faults.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { parseEmail, parseName, type FieldResult } from '../../../lib/values/field-values.ts';
import { parseKid, type KidOf } from '../../../lib/kid.ts';
import type { Problem } from '../../../lib/problem.ts';
import { parsePhone, type Phone } from '../../residents/rules/phone.ts';
import { parseKey, type ResidentKeyNumber } from '../../residents/rules/resident-key.ts';
import type { ResidentCommand } from './allowed-commands.ts';
import { parseApartment, parseLanguage, parsePin } from './resident-fields.ts';

/** A command with its value. */
export type ResidentAction =
  | { readonly command: 'SetName' | 'SetEmail' | 'SetLanguage' | 'SetApartment' | 'SetPin'; readonly value: string }
  | { readonly command: 'SetPhone'; readonly value: Phone }
  | { readonly command: 'SetLocation'; readonly value: KidOf<'location'> | null }
  | { readonly command: 'AddKey' | 'RemoveKey'; readonly value: ResidentKeyNumber }
  | { readonly command: 'Enable' | 'Disable' | 'Delete' | 'Restore' | 'RenewActivation' };

type TenantCountry = { readonly name: string; readonly country: string };

/** Throws 400 `invalid-user`, with the path of the field that is wrong. */
export const createInvalidUserProblem = (path: string, fault: string | FieldFault): Problem =>
  createFieldProblem(path, fault, 'invalid-user');

export const parseLocation = (text: string, tenant: string): FieldResult<KidOf<'location'> | null> => {
  if (text === '') return { value: null };
  const value = parseKid(text, tenant, ['location']);
  return value === undefined
    ? { reason: 'must be the KID of a location of the bank, or empty', code: 'not-a-kid' }
    : { value };
};

const valuePath = 'body.value';

/** Throws 400 if the value is missing or invalid, or if the command takes none. */
export function parseAction(
  command: ResidentCommand,
  value: string | undefined,
  { name: tenant, country }: TenantCountry,
): ResidentAction {
  switch (command) {
    case 'Enable':
    case 'Disable':
    case 'Delete':
    case 'Restore':
    case 'RenewActivation':
      if (value !== undefined) throw createInvalidUserProblem(valuePath, `is not taken by ${command}`);
      return { command };
    case 'SetName':
      return { command, value: requireParsed(value, parseName) };
    case 'SetEmail':
      return { command, value: requireParsed(value, parseEmail) };
    case 'SetPhone':
      return { command, value: requireParsed(value, (text) => parsePhone(text, country)) };
    case 'SetLanguage':
      return { command, value: requireParsed(value, parseLanguage) };
    case 'SetApartment':
      return { command, value: requireParsed(value, parseApartment) };
    case 'SetLocation':
      return { command, value: requireParsed(value, (text) => parseLocation(text, tenant)) };
    case 'SetPin':
      return { command, value: requireParsed(value, parsePin) };
    default:
      return { command, value: requireParsed(value, parseKey) };
  }
}

function requireParsed<T>(value: string | undefined, parse: (text: string) => FieldResult<T>): T {
  if (value === undefined) throw createInvalidUserProblem(valuePath, missing);
  const result = parse(value);
  if ('reason' in result) throw createInvalidUserProblem(valuePath, result);
  return result.value;
}
