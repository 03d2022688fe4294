// How a computer gets its key, and its next one.

import { reasonOf, textOf, type Requests } from './requests.ts';
import type { Store } from './store.ts';

type Parts = { readonly store: Store; readonly requests: Requests };

type Enrolment = { readonly code: string; readonly serial: string; readonly software: string };

/** Returns the computer's KID. The code of a lost answer is used up: a manager gives another one. */
export async function enrol({ store, requests }: Parts, enrolment: Enrolment): Promise<string> {
  const answer = await requests.send('POST', '/equipment/v1/enrol', { json: enrolment });
  const [key, computerKid] = [textOf(answer, 'key'), textOf(answer, 'computerKid')];
  if (answer.status !== 200 || key === undefined || computerKid === undefined)
    throw new Error(`the service did not enrol the computer: ${reasonOf(answer)}`);
  store.transaction(() => {
    store.remember('key', key);
    store.remember('computerKid', computerKid);
  });
  return computerKid;
}

/** Whether there is a next key. Without an answer the present one is kept: it holds until the next one is used. */
export async function rotateKey({ store, requests }: Parts): Promise<boolean> {
  const answer = await requests.send('POST', '/equipment/v1/key', { key: store.recall('key') });
  const next = answer.status === 200 ? textOf(answer, 'key') : undefined;
  if (next !== undefined) store.remember('key', next);
  return next !== undefined;
}
