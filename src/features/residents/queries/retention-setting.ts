// The name under which a tenant keeps how long identities are shown.

/** Days; zero or missing is without end. */
export const retentionSettingName = 'accountingRetentionDays';
