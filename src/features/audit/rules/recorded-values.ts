// Decides which values an entry of the audit log can contain.

import { parseKid, tenantOfKid } from '../../../lib/kid.ts';

export type RecordedValue = string | number | boolean | null | readonly string[];
/** The fields that changed, with their values. */
export type RecordedValues = Readonly<Record<string, RecordedValue>>;

/** Stands for a value that is not recorded. */
export const unrecordedValue = 'changed';

/** Records that these fields changed, without their values. */
export const withoutValues = (fields: Iterable<string>): RecordedValues =>
  Object.fromEntries(Array.from(fields, (field) => [field, unrecordedValue]));

// Fields are spelled in several ways, so these are in lower case.
const secretFields: ReadonlySet<string> = new Set([
  'password',
  'passwordhash',
  'pin',
  'pinhash',
  'token',
  'accesstoken',
  'activationcode',
  'verificationcode',
  'enrolmentcode',
  'code',
  'key',
  'keys',
  'keynumber',
  'apikey',
  'apikeyhash',
  'secret',
  'credentialstamp',
]);

/** The fields of residents that are recorded with their values. All other fields are treated as personal. */
const openFieldsOfResidents: ReadonlySet<string> = new Set([
  'command',
  'enabled',
  'deleted',
  'language',
  'locationkid',
  'revision',
  'coordinateprovenance',
]);

/** The fields of managers and installers whose values the log may have. */
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
  'state',
  'deleted',
]);

/**
 * The JSON text that is stored; null if there are no values. Entries are never changed, so entries must not contain
 * anything that has to be erased one day. For residents, managers and installers the log lists the changed fields, with
 * values only of fields that are known not to be personal; the KIDs of these people are pseudonyms. For a secret the
 * log says only that the secret changed.
 */
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
  const type = parseKid(object, tenantOfKid(object), ['user', 'manager', 'installer'])?.type;
  return (spelled) => {
    const field = spelled.toLowerCase();
    if (secretFields.has(field)) return false;
    if (type === undefined) return true;
    return (type === 'user' ? openFieldsOfResidents : openFieldsOfOthers).has(field);
  };
}
