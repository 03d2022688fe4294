// Hashes the addresses from which a manager has logged in, and bounds how many are stored.

import { createHmac } from 'node:crypto';

/** The newest are kept. */
export const maxKnownAddresses = 20;

/** How long an address is known after the last login from it. */
export const knownAddressLifetimeMs = 180 * 24 * 3600 * 1000;

/**
 * The key is the manager's credential stamp: addresses of two managers cannot be compared, and a new password makes all
 * addresses unknown again, including those of anybody who knew the old one.
 */
export const hashAddress = (credentialStamp: string, address: string): string =>
  createHmac('sha256', credentialStamp).update(address).digest('hex');
