// The access that the operations on records for devices declare.

import { setUnitSettingAccess, unitReadAccess } from '../units/access.ts';

export const deviceSyncsReadAccess = unitReadAccess;
export const deviceSyncRetryAccess = setUnitSettingAccess;
