// The units that are connected through a computer.

import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

/** The units of the computer that are not deleted, also those of disabled locations. */
export const listComputerUnits = (db: Db, { bankId }: GrantedBank, name: string) =>
  runPrepared(db, 'list units of computer', { bankId, name }, (bind) =>
    db
      .selectFrom('units as u')
      .innerJoin('locations as l', onEqual('l', 'u', 'bank_id', 'location_id'))
      .select([
        'u.bank_id',
        'u.location_id',
        'u.unit_id',
        'u.name',
        'u.unit_type',
        'u.packed_type',
        'u.enabled',
        'u.last_contact_at',
        'l.time_zone',
      ])
      .where('u.bank_id', '=', bind<number>('bankId'))
      .where('u.computer_name', '=', bind<string>('name'))
      .where('u.deleted_at', 'is', null)
      .where('l.deleted_at', 'is', null)
      .orderBy('u.location_id')
      .orderBy('u.unit_id'),
  );

export type ComputerUnitRow = Awaited<ReturnType<typeof listComputerUnits>>[number];
