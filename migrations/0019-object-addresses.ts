// Gives banks, units and residents an address of their own, as locations have one, and all of them coordinates.

import type { PortalMigration } from '../src/database/migration.ts';

const tables = ['banks', 'locations', 'units', 'residents'] as const;

// Everything has a default, so that an older replica goes on inserting rows.
export const objectAddressesMigration: PortalMigration = async ({ schema }, { int64, text }) => {
  for (const table of tables) {
    const addText = (name: string, length: number) =>
      schema.alterTable(table).addColumn(name, text(length), (column) => column.notNull().defaultTo(''));
    if (table !== 'locations') {
      await addText('address', 512).execute();
      await addText('zip', 64).execute();
    }
    for (const column of ['latitude', 'longitude', 'coordinate_provenance'])
      await schema.alterTable(table).addColumn(column, int64).execute();
    await schema
      .alterTable(table)
      .addColumn('address_revision', int64, (column) => column.notNull().defaultTo(0))
      .execute();
  }
};
