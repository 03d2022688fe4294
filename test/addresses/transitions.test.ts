// Compares random sequences of writes, and every single row, with the transition table of the specification.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressMonth, addressSuite, shownState } from './support/address-suite.ts';
import { cityOf, foundCoordinates, foundPlace, type ProviderAnswer } from './support/geocoding-provider.ts';

type Model = {
  readonly address: string;
  readonly zip: string;
  readonly pair: readonly [latitude: number, longitude: number] | null;
  readonly state: number | null;
};
type Found = 'found' | 'NoResult' | 'TransientFailure' | 'PermanentFailure';
type Step =
  | { readonly trigger: 'update'; readonly address: string; readonly zip: string; readonly found: Found }
  | { readonly trigger: 'lookup'; readonly found: Found }
  | { readonly trigger: 'coordinates'; readonly pair: readonly [number, number] }
  | { readonly trigger: 'provenance'; readonly value: number };
type Expected = { readonly outcome: string; readonly next: Model };

const lookedUp = [foundCoordinates.latitude, foundCoordinates.longitude] as const;
const providerAnswers: Readonly<Record<Found, ProviderAnswer>> = {
  found: [foundPlace],
  NoResult: [],
  TransientFailure: 503,
  PermanentFailure: 422,
};

type Row = {
  readonly name: string;
  readonly applies: (model: Model, step: Step) => boolean;
  readonly expected: (model: Model, step: Step) => Expected;
};

const isUpdate = (step: Step) => step.trigger === 'update';
const textOf = (step: Step): Pick<Model, 'address' | 'zip'> =>
  step.trigger === 'update'
    ? { address: step.address, zip: /^\d{4}$/.test(step.zip) ? `${step.zip} ${cityOf(step.zip)}` : step.zip }
    : { address: '', zip: '' };
const isSame = (model: Model, step: Step) =>
  isUpdate(step) && 'zip' in step && step.address === model.address && step.zip === model.zip;
const isWhole = ({ address, zip }: { address: string; zip: string }) => address.length * zip.length > 0;
const foundBy = (step: Step) => 'found' in step && step.found === 'found';
const failureOf = (step: Step): string => ('found' in step ? step.found : '');

/** The first row that applies decides. */
const rows: readonly Row[] = [
  { name: 'update with the same text', applies: isSame, expected: (next) => ({ outcome: 'Unchanged', next }) },
  {
    name: 'update in state 30',
    applies: (model, step) => isUpdate(step) && model.state === 30,
    expected: (model, step) => ({ outcome: 'ManualCoordinatesPreserved', next: { ...model, ...textOf(step) } }),
  },
  {
    name: 'update with an incomplete address',
    applies: (_, step) => isUpdate(step) && 'zip' in step && !isWhole(step),
    expected: (model, step) => ({ outcome: 'IncompleteAddress', next: { ...model, ...textOf(step) } }),
  },
  {
    name: 'update, found',
    applies: (_, step) => isUpdate(step) && foundBy(step),
    expected: (_, step) => ({ outcome: 'Success', next: { ...textOf(step), pair: lookedUp, state: addressMonth } }),
  },
  {
    name: 'update, not found',
    applies: (_, step) => isUpdate(step),
    expected: (_, step) => ({ outcome: failureOf(step), next: { ...textOf(step), pair: null, state: 0 } }),
  },
  {
    name: 'lookup of an incomplete address',
    applies: (model, step) => step.trigger === 'lookup' && !isWhole(model),
    expected: (next) => ({ outcome: 'IncompleteAddress', next }),
  },
  {
    name: 'lookup, found',
    applies: (_, step) => step.trigger === 'lookup' && foundBy(step),
    expected: (model) => ({ outcome: 'Success', next: { ...model, pair: lookedUp, state: addressMonth } }),
  },
  {
    name: 'lookup in state 30, not found',
    applies: (model, step) => step.trigger === 'lookup' && model.state === 30,
    expected: (next, step) => ({ outcome: failureOf(step), next }),
  },
  {
    name: 'lookup, not found',
    applies: (_, step) => step.trigger === 'lookup',
    expected: (model, step) => ({ outcome: failureOf(step), next: { ...model, pair: null, state: 0 } }),
  },
  {
    name: 'coordinates',
    applies: (_, step) => step.trigger === 'coordinates',
    expected: (model, step) => ({
      outcome: 'ManualCoordinatesSaved',
      next: { ...model, pair: 'pair' in step ? step.pair : null, state: 30 },
    }),
  },
  {
    name: 'provenance of a month without coordinates',
    applies: (model, step) => 'value' in step && step.value >= 1 && step.value <= 12 && model.pair === null,
    expected: (next) => ({ outcome: '400', next }),
  },
  {
    name: 'provenance',
    applies: (_, step) => step.trigger === 'provenance',
    expected: (model, step) => ({
      outcome: 'ProvenanceSaved',
      next: { ...model, state: 'value' in step ? step.value : null },
    }),
  },
];

const elm = { trigger: 'update', address: 'Elm Lane 1', zip: '8000 Byen' } as const;

/** Covers every row, which random sequences do not always do. */
const everyRow: readonly Step[] = [
  { trigger: 'provenance', value: 5 },
  { trigger: 'lookup', found: 'found' },
  { ...elm, found: 'NoResult' },
  { trigger: 'lookup', found: 'found' },
  { trigger: 'lookup', found: 'TransientFailure' },
  { ...elm, address: 'Oak Lane 2', found: 'found' },
  { ...elm, address: 'Oak Lane 2', found: 'found' },
  { ...elm, address: '', found: 'found' },
  { ...elm, zip: '2100', found: 'found' },
  { trigger: 'coordinates', pair: [5, -6] },
  { ...elm, found: 'found' },
  { trigger: 'lookup', found: 'PermanentFailure' },
  { trigger: 'provenance', value: 12 },
  { trigger: 'lookup', found: 'found' },
];

const anyFound = fc.constantFrom<Found>('found', 'found', 'NoResult', 'TransientFailure', 'PermanentFailure');
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    trigger: fc.constant('update' as const),
    address: fc.constantFrom('', 'Elm Lane 1', 'Oak Lane 2'),
    zip: fc.constantFrom('', '2100', '8000 Byen', `2100 ${cityOf('2100')}`),
    found: anyFound,
  }),
  fc.record({ trigger: fc.constant('lookup' as const), found: anyFound }),
  fc.record({ trigger: fc.constant('coordinates' as const), pair: fc.constantFrom([0, 0] as const, [5, -6] as const) }),
  fc.record({ trigger: fc.constant('provenance' as const), value: fc.constantFrom(0, 1, 2, 7, 12, 13, 20, 30) }),
);

addressSuite({}, (suite) => {
  const { provider, newObject, get, write } = suite;
  const met = new Set<string>();

  const perform = (kid: string, step: Step) => {
    if (step.trigger === 'coordinates')
      return write(kid, 'coordinates', { latitude: step.pair[0], longitude: step.pair[1] });
    if (step.trigger === 'provenance') return write(kid, 'provenance', { value: step.value });
    provider.answer = ({ search, text, country }) =>
      search === 'postalCity' ? [{ city: cityOf(text), country_code: country }] : providerAnswers[step.found];
    return step.trigger === 'lookup'
      ? write(kid, 'lookup', {})
      : write(kid, 'update', { address: step.address, zip: step.zip });
  };

  const toShown = ({ address, zip, pair, state }: Model) => ({
    address,
    zip,
    latitude: pair?.[0] ?? null,
    longitude: pair?.[1] ?? null,
    autoLatitudeLongitude: state,
  });

  async function runSteps(kid: string, steps: readonly Step[]): Promise<void> {
    let model: Model = { address: '', zip: '', pair: null, state: null };
    for (const step of steps) {
      const row = rows.find(({ applies }) => applies(model, step));
      assert.ok(row);
      met.add(row.name);
      const { outcome, next } = row.expected(model, step);
      provider.requests = [];
      const reply = await perform(kid, step);
      assert.equal(reply.status === 200 ? reply.json.outcome : String(reply.status), outcome, row.name);
      assert.ok(provider.requests.length <= (step.trigger === 'update' ? 2 : step.trigger === 'lookup' ? 1 : 0));
      const read = await get(kid);
      if (reply.status === 200) assert.deepEqual(shownState(reply), toShown(next), row.name);
      assert.deepEqual(shownState(read), toShown(next), row.name);
      model = next;
    }
  }

  test('[addresses.28, addresses.31, addresses.32, addresses.33, addresses.34, addresses.35, addresses.36, addresses.37, addresses.42] sequences of writes follow the transition table', async () => {
    await runSteps(await newObject('location', { zip: '' }), everyRow);
    assert.deepEqual([...met].toSorted(), rows.map(({ name }) => name).toSorted(), 'every row was met');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('bank', 'unit', 'user'),
        fc.array(anyStep, { minLength: 1, maxLength: 12 }),
        async (type, steps) => runSteps(await newObject(type), steps),
      ),
      { numRuns: 40 },
    );
  });
});
