// The names of the fields of imports, in the reader's words. Files, profiles and the service call them by their own.

import type { TextKey, Translate } from '../language/catalogue.ts';
import { homeFields, recordOf, residentFields } from '../residents/resident-fields.ts';

const names: Readonly<Record<string, TextKey>> = {
  ...recordOf(['name', 'email', 'phone', 'language', ...homeFields], (name) => residentFields[name].label),
  address: 'word.address',
  amount: 'word.amount',
  anonymous: 'resident.anonymised',
  at: 'word.time',
  bookedAt: 'booking.booked',
  cancelledAt: 'booking.cancelled',
  counter: 'field.counter',
  currency: 'field.currency',
  day: 'word.date',
  discount: 'kind.discount',
  document: 'word.document',
  enabled: 'field.enabled',
  from: 'word.from',
  grants: 'manager.scope',
  icon: 'word.icon',
  internalTag: 'field.equipmentNumber',
  intervals: 'hours.title',
  key: 'import.key',
  kid: 'word.kid',
  kind: 'word.type',
  latitude: 'address.latitude',
  location: 'word.location',
  locations: 'bank.locations',
  longitude: 'address.longitude',
  movedOut: 'field.movedOut',
  number: 'resident.keyNumber',
  organisation: 'word.organisation',
  paymentKind: 'field.paymentKind',
  permissions: 'manager.permissions',
  posting: 'word.posting',
  price: 'word.price',
  refunds: 'field.refunds',
  resident: 'word.resident',
  reverses: 'field.reverses',
  setting: 'sync.setting',
  state: 'word.state',
  tabs: 'manager.tabs',
  tags: 'installer.tags',
  text: 'word.description',
  timeZone: 'field.timeZone',
  to: 'word.through',
  type: 'word.type',
  unit: 'word.unit',
  userName: 'session.userName',
  value: 'word.value',
  vat: 'field.vat',
  zip: 'address.zip',
};

/** The names of fields by which a kind means something else. */
const namesOfKinds: Readonly<Record<string, Readonly<Record<string, TextKey>>>> = {
  keys: { kind: 'resident.keyKind' },
  // The numbers of the tags that residents carry.
  residents: { tags: 'resident.keys' },
};

/** A field that is newer than the console, or none of the service, keeps its own name. */
export function nameOfImportField(kind: string, field: string, t: Translate): string {
  const key = ownOf(ownOf(namesOfKinds, kind), field) ?? ownOf(names, field);
  return key === undefined ? field : t(key);
}

/** A file can name a column as it likes, also `toString`. */
const ownOf = <Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
