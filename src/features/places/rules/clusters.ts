// The clusters of computers that serve devices.

/** The cluster of equipment that is being tried out: nobody is alerted when a unit of it is silent. */
export const testCluster = 'test';
