// Decides which values an entry of the audit log may hold. Entries are never changed, so that nothing may stand in them
// that has to be erased one day: of residents, managers and installers the log says which fields changed, and has the values
// of those alone that are known not to be personal; their KIDs are pseudonyms. Of a secret it says that it changed, whoever or whatever it belongs to.

import { parseKid } from '../../../lib/kid.ts';

export type RecordedValue = string | number | boolean | null | readonly string[];
/** The fields that changed, with their values. */
export type RecordedValues = Readonly<Record<string, RecordedValue>>;

/** Stands for a value that is not recorded. */
export const unrecordedValue = 'changed';

/** Says that these fields changed, and nothing of their values. */
export const withoutValues = (fields: Iterable<string>): RecordedValues =>
  Object.fromEntries(Array.from(fields, (field) => [field, unrecordedValue]));

// Fields are spelled in several ways: these are in lower case.
const secretFields: ReadonlySet<string> = new Set([
  'password',
  'passwordhash',
  'pin',
  'pinhash',
  'token',
  'accesstoken',
  'activationcode',
  'verificationcode',
  'code',
  'key',
  'keys',
  'keynumber',
  'apikey',
  'apikeyhash',
  'secret',
  'credentialstamp',
]);

/** What is recorded of residents with its value. All other fields are taken for personal. */
const openFieldsOfResidents: ReadonlySet<string> = new Set([
  'command',
  'enabled',
  'deleted',
  'language',
  'locationkid',
  'revision',
  'coordinateprovenance',
]);

/** The same of managers and installers. */
const openFieldsOfOthers: ReadonlySet<string> = new Set([
  'active',
  'tabs',
  'permissions',
  'grants',
  'scopes',
  'icon',
  'personicon',
  'theme',
  'retentiondays',
  'emailverified',
]);

/** The JSON text that is stored; null where there are no values. */
export function formatRecordedValues(object: string, values: RecordedValues | null): string | null {
  if (values === null) return null;
  const isRecorded = createFieldRule(object);
  const entries = Object.entries(values).map(([field, value]) => [
    field,
    value === null || isRecorded(field) ? value : unrecordedValue,
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

function createFieldRule(object: string): (field: string) => boolean {
  const tenant = object.split('-', 1)[0] ?? '';
  const type = parseKid(object, tenant, ['user', 'manager', 'installer'])?.type;
  return (spelled) => {
    const field = spelled.toLowerCase();
    if (secretFields.has(field)) return false;
    if (type === undefined) return true;
    return (type === 'user' ? openFieldsOfResidents : openFieldsOfOthers).has(field);
  };
}
