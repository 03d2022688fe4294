// Declares every table of a tenant's database, as the query builder sees the tables.

import type { AuditTables } from './tables/audit.ts';
import type { BookingsTables } from './tables/bookings.ts';
import type { ComputersTables } from './tables/computers.ts';
import type { DocumentsTables } from './tables/documents.ts';
import type { ImportsTables } from './tables/imports.ts';
import type { InstallersTables } from './tables/installers.ts';
import type { LedgerTables } from './tables/ledger.ts';
import type { ManagersTables } from './tables/managers.ts';
import type { PlacesTables } from './tables/places.ts';
import type { ResidentsTables } from './tables/residents.ts';
import type { SystemTables } from './tables/system.ts';
import type { ServicesTables } from './tables/services.ts';

/**
 * Times are MS2000. Columns that can pass 2^53 (amounts, fingerprints, their sums) are Int64. The service bounds ids
 * and times.
 */
export type Tables = PlacesTables &
  DocumentsTables &
  BookingsTables &
  ResidentsTables &
  ManagersTables &
  LedgerTables &
  AuditTables &
  SystemTables &
  ServicesTables &
  InstallersTables &
  ComputersTables &
  ImportsTables;
