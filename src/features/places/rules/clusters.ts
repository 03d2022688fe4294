// The clusters of computers that serve devices.

/** The cluster of equipment on trial: its silent units cause no alert. */
export const testCluster = 'test';
