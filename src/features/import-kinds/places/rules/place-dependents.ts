// What keeps a bank, location or unit from being taken back: the tables whose rows depend on it.

import type { Tables } from '../../../../database/tables.ts';

export type LevelOfPlace = 'bank' | 'location' | 'unit';

export type Dependent = {
  readonly table: keyof Tables;
  readonly text: string;
  /** Only rows that have it count. */
  readonly column?: string;
  /** Deleted rows do not count. */
  readonly isDeletable?: true;
};

const used: readonly Dependent[] = [
  { table: 'posting_rollups', text: 'postings' },
  { table: 'bookings', text: 'bookings' },
  { table: 'held_lines', text: 'held lines' },
];

export const placeDependents: Readonly<Record<LevelOfPlace, readonly Dependent[]>> = {
  bank: [
    { table: 'locations', text: 'locations', isDeletable: true },
    { table: 'residents', text: 'residents', isDeletable: true },
    { table: 'computers', text: 'computers' },
    { table: 'settlement_periods', text: 'settlement periods' },
    { table: 'manager_grants', text: 'managers with a grant for it' },
    { table: 'charge_profiles', text: 'a profile of charges' },
    ...used,
  ],
  location: [
    { table: 'units', text: 'units', isDeletable: true },
    { table: 'residents', text: 'residents', isDeletable: true },
    { table: 'manager_grants', text: 'managers with a grant for it' },
    { table: 'installer_locations', text: 'installers' },
    ...used,
  ],
  unit: [
    { table: 'units', column: 'computer_name', text: 'a computer', isDeletable: true },
    { table: 'document_cycles', text: 'documents' },
    { table: 'state_series', text: 'samples' },
    { table: 'unit_states', text: 'states that its device has reported' },
    { table: 'unit_commands', text: 'commands' },
    ...used,
  ],
};
