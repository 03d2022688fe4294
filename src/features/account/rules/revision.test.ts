// Checks that revisions differ for different postings and for different ways to show them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeRevision, formatAccountDisplayState } from './revision.ts';

const dkk = { currency: 'DKK', count: 2, debitMinor: -300n, creditMinor: 100n };
const eur = { currency: 'EUR', count: 1, debitMinor: 0n, creditMinor: 5n };
const sums = { count: 3, totals: [dkk, eur], fingerprint: 12_345n };

test('[account.36] a revision changes with the postings, with any total and with how they are shown, and with nothing else', () => {
  const revisions = [
    computeRevision(sums, 'named'),
    computeRevision(sums, 'unnamed'),
    computeRevision({ ...sums, count: 4 }, 'named'),
    computeRevision({ ...sums, fingerprint: 12_346n }, 'named'),
    computeRevision({ ...sums, totals: [dkk] }, 'named'),
    computeRevision({ ...sums, totals: [{ ...dkk, debitMinor: -301n }, eur] }, 'named'),
    computeRevision({ ...sums, totals: [{ ...dkk, creditMinor: 101n }, eur] }, 'named'),
    computeRevision(
      {
        ...sums,
        totals: [
          { ...dkk, count: 1 },
          { ...eur, count: 2 },
        ],
      },
      'named',
    ),
    computeRevision({ ...sums, totals: [dkk, { ...eur, currency: 'SEK' }] }, 'named'),
    computeRevision({ count: 0, totals: [], fingerprint: 0n }, 'named'),
  ];
  assert.equal(new Set(revisions).size, revisions.length);
  assert.equal(computeRevision(structuredClone(sums), 'named'), revisions[0]);
  for (const revision of revisions) assert.match(revision, /^[\w-]{27}$/);
});

const versions = { open_period: 1, places_version: 1, residents_version: 1, expired_resident_count: 1, reversals: 1 };

test('a revision changes with the cutoff only while the cutoff lies inside the interval shown', () => {
  const states = [-5, 0, 99, 100, 101, 150, 199, 200, 201, Number.POSITIVE_INFINITY].map((cutoff) =>
    formatAccountDisplayState(versions, cutoff, { from: 100, to: 200 }),
  );
  const [named, , , , ...others] = states;
  assert.deepEqual(states.slice(0, 4), [named, named, named, named]);
  const [, , , unnamed] = others;
  assert.deepEqual(others.slice(3), [unnamed, unnamed, unnamed]);
  assert.equal(new Set(states).size, 5);
});

test('a revision changes whenever a bank’s postings are shown differently', () => {
  const states = [
    formatAccountDisplayState(versions, 150, { from: 100, to: 200 }),
    formatAccountDisplayState(versions, 151, { from: 100, to: 200 }),
    ...Object.keys(versions).map((key) =>
      formatAccountDisplayState({ ...versions, [key]: 2 }, 150, { from: 100, to: 200 }),
    ),
  ];
  assert.equal(new Set(states).size, states.length);
});
