// The shapes of the public status and of the public statistics.

import { Type, type Static } from 'typebox';
import { namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { Environment, instant, kidOutput, stringEnum } from '../../http/schemas/schema-types.ts';
import type { JsonInt64 } from '../../lib/values/int64.ts';
import { activeUsersLookbackDays, purchasesLookbackHours } from './rules/purchase-totals.ts';

export const PublicStatus = namedObject('PublicStatus', {
  tenantKid: kidOutput('tenant'),
  environment: Environment,
  version: Type.String({ description: 'Version of the service.' }),
  status: stringEnum(['ok', 'degraded'], '`degraded`: the tenant’s database cannot be written to at the moment.'),
  measuredAtUtc: instant('Time of this response. The status may be up to 30 seconds old.'),
});

export type PublicStatus = Static<typeof PublicStatus>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const measured = {
  tenantKid: kidOutput('tenant'),
  sinceUtc: instant('What is counted is newer than this.'),
  measuredAtUtc: instant('When it was counted.'),
};

const ofTheLastHour = {
  ...measured,
  lookbackHours: Type.Integer({
    examples: [purchasesLookbackHours],
    description: 'How many hours lie between sinceUtc and measuredAtUtc.',
  }),
};

export const PublicPurchases = namedObject('PublicPurchases', {
  count: count('How many purchases there were.'),
  amount: nullable(
    Type.Unsafe<JsonInt64>({
      type: 'number',
      description:
        'What the purchases cost: the negated sum of their amounts divided by 100, with two decimals. Currencies are not converted. Null without purchases.',
      examples: [1234.5],
    }),
  ),
  currency: nullable(
    Type.String({
      description:
        'The greatest currency code among the purchases (ISO 4217). Null without purchases, or where none is known.',
      examples: ['DKK'],
    }),
  ),
  ...ofTheLastHour,
});
export type PublicPurchases = Static<typeof PublicPurchases>;

const PurchasePoint = namedObject('PurchasePoint', {
  latitude: Type.Integer({ format: 'int32', description: 'Latitude (WGS 84) in millionths of a degree.' }),
  longitude: Type.Integer({ format: 'int32', description: 'Longitude (WGS 84) in millionths of a degree.' }),
  count: count('How many purchases were made there.'),
});

export const PublicPurchaseMap = namedObject('PublicPurchaseMap', {
  ...ofTheLastHour,
  points: Type.Array(PurchasePoint, { description: 'One for each pair of coordinates, from south to north.' }),
  unplacedCount: count('How many purchases were made at locations whose coordinates are unknown.'),
});
export type PublicPurchaseMap = Static<typeof PublicPurchaseMap>;

export const PublicActiveUsers = namedObject('PublicActiveUsers', {
  count: count('How many residents were active.'),
  ...measured,
  lookbackDays: Type.Integer({
    examples: [activeUsersLookbackDays],
    description: 'How many days lie between sinceUtc and measuredAtUtc.',
  }),
});
export type PublicActiveUsers = Static<typeof PublicActiveUsers>;
