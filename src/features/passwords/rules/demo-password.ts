// The password of all demo managers.

/** Everybody knows it, so it is accepted only where the service runs with demo data. */
export const demoPassword = 'demo-Password-1';
