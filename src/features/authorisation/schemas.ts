// The shapes of a question whether a resident may use a unit, and of its answer.

import { Type, type Static } from 'typebox';
import { namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { kidOutput } from '../../http/schemas/schema-types.ts';
import { refusalReasons } from './rules/decide-authorisation.ts';

const maxTextLength = 128;

export const UseRequest = namedBody('UseRequest', {
  unit: Type.String({
    minLength: 1,
    maxLength: maxTextLength,
    description: 'KID of a unit of the computer.',
    examples: ['sund-B1001-L1-U1'],
  }),
  key: Type.String({
    minLength: 1,
    maxLength: maxTextLength,
    description: 'Number of a tag, or `Card:` and the number of a card, as in AddKey.',
    examples: ['04A21B33'],
  }),
});

const UseRefusal = namedEnum(
  'UseRefusal',
  refusalReasons,
  'unknown-unit: it is not one of the computer; unknown-key: nobody of the bank has the key; blocked: AccessMode of the unit; booked-by-other: somebody else has booked the unit now.',
);

export const UseAuthorisation = namedObject('UseAuthorisation', {
  allowed: Type.Boolean({ description: 'Whether the resident may use the unit now.' }),
  reason: nullable(UseRefusal),
  residentKid: nullable(kidOutput('user', 'Resident who has the key; null if nobody may use it.')),
});
export type UseAuthorisation = Static<typeof UseAuthorisation>;
