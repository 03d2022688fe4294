// Every table of a tenant's database, as the query builder sees it. Times are MS2000. Columns that can pass 2^53
// (amounts, fingerprints, their sums) are Int64; ids and times are bounded by the service.

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
