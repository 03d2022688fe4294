// Formats records of the outbox for managers.

import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import type { Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import type { SubjectKind, SyncState } from '../outbox/rules/sync-state.ts';
import { resolveLocationTimeZone } from '../places/rules/location-time-zone.ts';
import { formatValueLabel } from '../units/rules/value-labels.ts';
import type { DeviceSyncRow } from './queries/device-syncs.ts';
import { deviceSyncRevisionOf } from './rules/retry.ts';
import type { DeviceSync } from './schemas.ts';

type DeviceSyncContext = { readonly tenant: Tenant; readonly language: Language };

export function toDeviceSync({ tenant, language }: DeviceSyncContext, row: DeviceSyncRow): DeviceSync {
  const locationKid = formatLocationKid(formatBankKid(tenant.name, row.bank_id), row.location_id);
  return {
    syncId: row.sync_id,
    subject: row.subject_kind as SubjectKind,
    unitKid: row.unit_id === 0 ? null : formatUnitKid(locationKid, row.unit_id),
    setting: row.setting_name,
    settingLabel: row.setting_name === null ? null : formatValueLabel(row.setting_name, language),
    state: row.state as SyncState,
    code: row.code,
    attempts: row.attempts,
    queuedUtc: formatUtc(row.created_at),
    changedUtc: formatUtc(row.updated_at),
    timeZone: resolveLocationTimeZone(row.time_zone ?? '', tenant),
    revision: deviceSyncRevisionOf(row),
  };
}
