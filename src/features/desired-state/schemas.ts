// The shapes of what computers have to know.

import { Type } from 'typebox';
import { namedObject } from '../../http/schemas/named-schemas.ts';
import { closedObject, int32 } from '../../http/schemas/schema-types.ts';

export const DesiredQuery = closedObject({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The version that the computer has. With server-sent events, `Last-Event-ID` takes its place.',
      examples: [4711],
    }),
  ),
  wait: int32({
    minimum: 0,
    maximum: 55,
    default: 0,
    description: 'How many seconds to wait until there is a change.',
    examples: [55],
  }),
});

export const DesiredChange = namedObject(
  'DesiredChange',
  {
    v: Type.Integer({ description: 'The version of the change, which an `applied` line names.' }),
    kind: Type.String({
      description:
        'setting, key, hours, booking, posting, command or address. The other members depend on it (docs/equipment.md); later versions may add kinds.',
    }),
  },
  { additionalProperties: true, description: 'The newest value of one thing.' },
);

export const DesiredChanges = namedObject('DesiredChanges', {
  version: Type.Integer({ description: 'What `after` is next.' }),
  more: Type.Boolean({ description: 'Whether there are more changes already.' }),
  changes: Type.Array(DesiredChange),
});
