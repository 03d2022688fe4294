// Creates the items and the details that represent installers.

import { formatKid } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { WholeTenant } from '../../permissions/coverage.ts';
import { dayOfMonthAt } from '../icons/rules/day-of-month.ts';
import { formatPlainIconKid } from '../icons/rules/current-icon-kid.ts';
import { listPersonIcons } from '../icons/rules/person-icons.ts';
import { locationsOf, tagsOf } from './fields.ts';
import type { InstallerRow } from './queries/installers.ts';
import { toInstallerState } from './rules/installer-states.ts';
import type { Installer, InstallerDetail } from './schemas.ts';

export const toInstaller = ({ tenant }: WholeTenant, row: InstallerRow, now: number): Installer => ({
  kid: formatKid({ type: 'installer', tenant, installerId: row.installer_id }),
  name: row.name,
  email: row.email,
  locations: locationsOf(row).map(({ name, ...ids }) => ({
    kid: formatKid({ type: 'location', tenant, ...ids }),
    name,
  })),
  tags: tagsOf(row),
  state: toInstallerState(row.state),
  iconKid: formatPlainIconKid(row.person_icon, dayOfMonthAt(now)),
  lastActivityUtc: row.last_activity_at === null ? null : formatUtc(row.last_activity_at),
});

type InstallerView = { readonly canEdit: boolean; readonly now: number };

export const toInstallerDetail = (
  tenant: WholeTenant,
  row: InstallerRow,
  { canEdit, now }: InstallerView,
): InstallerDetail => ({
  installer: toInstaller(tenant, row, now),
  phone: row.phone,
  organisation: row.organisation,
  availablePersonIcons: listPersonIcons(),
  iconRevision: String(row.icon_revision),
  canEdit,
});
