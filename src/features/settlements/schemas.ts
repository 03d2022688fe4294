// The schemas of settlements.

import { Type, type Static } from 'typebox';
import { namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, int32, kidInput, kidOutput, timeZoneOutput } from '../../http/schemas/schema-types.ts';
import { PostingKind, CurrencyTotal } from '../account/schemas.ts';

export const SettlementParams = closedObject({
  bankKid: kidInput('bank'),
  period: int32({ minimum: 0, description: 'Settlement period, 0 = current.', examples: [1] }),
});

const CurrencyTotals = Type.Array(CurrencyTotal, { description: 'Per currency.' });

const settlementFields = {
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('Start of the period.'),
  throughUtc: nullable(instant('End of the period; null while it is open.')),
  closedAtUtc: nullable(instant('Time at which the period was closed; null while it is open.')),
  provisional: Type.Boolean({ description: 'Whether the period is still open and its totals can change.' }),
  totals: CurrencyTotals,
  downloadable: Type.Boolean({ description: 'Whether DownloadBankSettlement can return this period.' }),
};
const timeZone = timeZoneOutput('that of the tenant, since a period has no location.');

const SettlementPeriod = namedObject('SettlementPeriod', settlementFields);

const Revision = Type.String({ description: 'Identifies this response; its ETag begins with it.' });

export const SettlementHistory = namedObject('SettlementHistory', {
  bankKid: kidOutput('bank'),
  revision: Revision,
  timeZone,
  items: Type.Array(SettlementPeriod, { description: 'Newest first, starting with the current period.' }),
});
export type SettlementPeriod = Static<typeof SettlementPeriod>;

const SettlementLocation = namedObject('SettlementLocation', {
  kid: nullable(kidOutput('location', 'Null for postings without a location.')),
  name: Type.String(),
  totals: CurrencyTotals,
});
export type SettlementLocation = Static<typeof SettlementLocation>;

const SettlementKind = namedObject('SettlementKind', { kind: PostingKind, totals: CurrencyTotals });

export const SettlementPeriodDetail = namedObject('SettlementPeriodDetail', {
  bankKid: kidOutput('bank'),
  revision: Revision,
  timeZone,
  ...settlementFields,
  locations: Type.Array(SettlementLocation, { description: 'Their sum equals the totals of the period.' }),
  kinds: Type.Array(SettlementKind, { description: 'Their sum equals the totals of the period.' }),
});
export type SettlementKind = Static<typeof SettlementKind>;

export const settlementMediaTypes = ['application/zip'];
