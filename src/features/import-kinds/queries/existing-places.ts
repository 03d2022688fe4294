// Reads which of some banks and locations there are.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';

/** Location 0 is the whole bank. */
type PlaceKey = { readonly bankId: number; readonly locationId: number };

const nameOfPlace = ({ bankId, locationId }: PlaceKey): string => `${bankId}/${locationId}`;

/** Which of them exist and are not deleted. Bank 0 is the whole tenant. */
export async function findExistingPlaces(
  db: Db,
  _tenant: WholeTenant,
  places: readonly PlaceKey[],
): Promise<(place: PlaceKey) => boolean> {
  const bankIds = [...new Set(places.map(({ bankId }) => bankId))].filter((bankId) => bankId !== 0);
  if (bankIds.length === 0) return isWholeTenant;
  const [banks, locations] = await Promise.all([
    db
      .selectFrom('banks')
      .select('bank_id as bankId')
      .where(db.dialect.inList(sql.ref('bank_id'), bankIds))
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('locations as l')
      .innerJoin('banks as b', 'b.bank_id', 'l.bank_id')
      .select(['l.bank_id as bankId', 'l.location_id as locationId'])
      .where(db.dialect.inList(sql.ref('l.bank_id'), bankIds))
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null)
      .execute(),
  ]);
  const existing = new Set([...banks.map(({ bankId }) => ({ bankId, locationId: 0 })), ...locations].map(nameOfPlace));
  return (place) => isWholeTenant(place) || existing.has(nameOfPlace(place));
}

const isWholeTenant = ({ bankId }: PlaceKey): boolean => bankId === 0;
