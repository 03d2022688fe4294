// Makes revisions that are a digest of the data that they stand for.

import { hash } from 'node:crypto';

/** 162 bits, which no two texts share by chance. */
const revisionLength = 27;

export const digestRevision = (text: string): string => hash('sha256', text, 'base64url').slice(0, revisionLength);
