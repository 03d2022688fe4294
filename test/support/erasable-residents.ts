// Residents with personal data in every place that has any.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { recordOf } from '../../src/lib/values/fields.ts';
import { residentFieldNames } from '../../src/features/residents/fields.ts';
import { insertResidents } from '../../src/features/residents/queries/insert-residents.ts';

// The language may remain.
const secretFields = residentFieldNames.filter((field) => field !== 'language');

/** The personal data of a resident, none of which can remain. The number distinguishes residents. */
export const secretsOf = (residentId: number) => ({
  ...recordOf(secretFields, (field) => `Secret ${field} ${residentId}`),
  name: `Ada Secret ${residentId}`,
  formerName: `Ada Former ${residentId}`,
  email: `ada.secret.${residentId}@example.org`,
  phone: `+45 11 22 ${residentId}`,
  phoneNumber: `+451122${residentId}`,
  keyNumber: `04AABBCC${residentId}`,
  code: `SECRETCODE${residentId}`,
  pinHash: `pin-hash-of-${residentId}`,
  address: `Secret Lane ${residentId}`,
  zip: `2100 Secret Town ${residentId}`,
  importKey: `secret-tenancy-${residentId}`,
});

export type ErasableResident = {
  readonly bankId: number;
  readonly residentId: number;
  readonly deletedAt?: number | null;
  readonly expiredAt?: number | null;
};

/** A resident of location 1 with two keys, an activation code, a history, a former name, and rows of two imports. */
export async function insertErasableResident(db: WriteDb, resident: ErasableResident): Promise<void> {
  const { bankId, residentId, deletedAt = null, expiredAt = null } = resident;
  const secrets = secretsOf(residentId);
  const ids = { bank_id: bankId, resident_id: residentId };
  await insertResidents(db, bankId, [
    {
      ...ids,
      location_id: 1,
      ...recordOf(secretFields, (field) => secrets[field]),
      language: 'da',
      deleted_at: deletedAt,
      expired_at: expiredAt,
      revision: 3,
      phone_number: secrets.phoneNumber,
      pin_hash: secrets.pinHash,
      address: secrets.address,
      zip: secrets.zip,
      latitude: 55_676_111,
      longitude: 12_568_333,
      coordinate_provenance: 30,
      address_revision: 1,
    },
  ]);
  const keys = ['Tag', 'Card'].map((kind) => ({
    ...ids,
    key_number: `${secrets.keyNumber}${kind}`,
    kind,
    added_at: 1,
    held_number: null,
  }));
  await db.insertInto('resident_keys').values(keys).execute();
  await db
    .insertInto('resident_activations')
    .values({ ...ids, code: secrets.code + bankId, created_at: 1, used_at: null })
    .execute();
  const changed = { ...ids, changed_at: 1, editor_id: 1 };
  await db
    .insertInto('resident_history')
    .values([
      { ...changed, revision: 2, command: 'SetName', old_value: secrets.formerName, new_value: secrets.name },
      { ...changed, revision: 3, command: 'SetPin', old_value: null, new_value: null },
    ])
    .execute();
  await db
    .insertInto('resident_former_names')
    .values({ ...ids, through_period: 1, name: secrets.formerName })
    .execute();
  await insertImported(db, resident, secrets);
}

async function insertImported(
  db: WriteDb,
  { bankId, residentId }: ErasableResident,
  { name, formerName, importKey }: ReturnType<typeof secretsOf>,
): Promise<void> {
  const objectKid = `sund-B${bankId}-R${residentId}`;
  const row = (importId: number, action: string, changes: string | null, errors: string | null) => ({
    import_id: importId,
    position: bankId * 100_000 + residentId,
    line: 2,
    row_key: importKey,
    action,
    object_kid: objectKid,
    object_revision: '1',
    row_values: JSON.stringify({ name }),
    changes,
    errors,
    outcome: null,
    result_revision: null,
  });
  const change = JSON.stringify([{ field: 'name', before: formerName, after: name }]);
  const error = JSON.stringify([{ field: 'name', code: 'stale', text: `name: was ${formerName}.` }]);
  await db
    .insertInto('import_rows')
    .values([row(1, 'create', null, null), row(2, 'update', change, error)])
    .execute();
  await db
    .insertInto('import_keys')
    .values({ kind: 'residents', bank_id: bankId, source: 's', source_key: importKey, object_kid: objectKid })
    .execute();
}

/** The names of the tables that hold any of these texts, in whichever column. */
export async function findTablesWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of await listTables(db)) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db);
    const content = rows.map((row) => Object.values(row).join('\n').toLowerCase());
    if (texts.some((text) => content.some((row) => row.includes(text.toLowerCase())))) found.push(table);
  }
  return found;
}

async function listTables(db: Db): Promise<string[]> {
  const query =
    db.dialect.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = database()`;
  const { rows } = await query.execute(db);
  return rows.map(({ name }) => name);
}

/** Every column of a resident who was erased, but for times and the revision. */
export const erasedResident = {
  location_id: 1,
  ...recordOf(secretFields, () => ''),
  language: 'da',
  enabled: 1,
  name_key: '',
  apartment_key: '',
  email_key: null,
  phone_number: null,
  pin_hash: null,
  address: '',
  zip: '',
  latitude: null,
  longitude: null,
  coordinate_provenance: null,
  address_revision: 2,
} satisfies Partial<Tables['residents']>;
