// Parses the value of a command into what it changes.

import { missing, type FieldFault } from '../../../lib/values/field-faults.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import type { TextParser, TextTenant } from '../../../http/schemas/parsed-text.ts';
import { parseKid, type KidOf } from '../../../lib/kid.ts';
import type { Problem } from '../../../lib/problem.ts';
import { fieldOf, isFieldCommand, residentFields, type FieldAction } from '../../residents/fields.ts';
import type { Phone } from '../../residents/rules/phone.ts';
import { parseKey, type ResidentKeyNumber } from '../../residents/rules/resident-key.ts';
import type { ResidentCommand } from './allowed-commands.ts';
import { parsePin } from './pin.ts';

/** A command with its value. */
export type ResidentAction =
  | FieldAction
  | { readonly command: 'SetPin'; readonly value: string }
  | { readonly command: 'SetLocation'; readonly value: KidOf<'location'> | null }
  | { readonly command: 'AddKey' | 'RemoveKey'; readonly value: ResidentKeyNumber }
  | { readonly command: 'Enable' | 'Disable' | 'Delete' | 'Restore' | 'RenewActivation' };

export const isFieldAction = (action: ResidentAction): action is FieldAction => isFieldCommand(action.command);

/** Throws 400 `invalid-user`, with the path of the field that is wrong. */
export const createInvalidUserProblem = (path: string, fault: string | FieldFault): Problem =>
  createFieldProblem(path, fault, 'invalid-user');

export const parseLocation: TextParser<KidOf<'location'> | null> = (text, { name }) => {
  if (text === '') return { value: null };
  const value = parseKid(text, name, ['location']);
  return value === undefined
    ? { reason: 'must be the KID of a location of the bank, or empty', code: 'not-a-kid' }
    : { value };
};

const valuePath = 'body.value';

/** Throws 400 if the value is missing or invalid, or if the command takes none. */
export function parseAction(command: ResidentCommand, value: string | undefined, tenant: TextTenant): ResidentAction {
  if (isFieldCommand(command))
    return {
      command,
      value: requireParsed<string | Phone>(value, residentFields[fieldOf(command)].parse, tenant),
    } as FieldAction;
  switch (command) {
    case 'Enable':
    case 'Disable':
    case 'Delete':
    case 'Restore':
    case 'RenewActivation':
      if (value !== undefined) throw createInvalidUserProblem(valuePath, `is not taken by ${command}`);
      return { command };
    case 'SetLocation':
      return { command, value: requireParsed(value, parseLocation, tenant) };
    case 'SetPin':
      return { command, value: requireParsed(value, parsePin, tenant) };
    case 'AddKey':
    case 'RemoveKey':
      return { command, value: requireParsed(value, parseKey, tenant) };
  }
}

function requireParsed<T>(value: string | undefined, parse: TextParser<T>, tenant: TextTenant): T {
  if (value === undefined) throw createInvalidUserProblem(valuePath, missing);
  const result = parse(value, tenant);
  if ('reason' in result) throw createInvalidUserProblem(valuePath, result);
  return result.value;
}
