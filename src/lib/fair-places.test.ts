// Places: never more than there are, never more of one owner than its share, none idle that somebody could have, and those
// with the fewest come first.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle, setTimeout as pause } from 'node:timers/promises';
import { FairPlaces, type FairPlacesOptions, type PlaceOwner, type ReleasePlace } from './fair-places.ts';

const refusal = new Error('refused');
const options: FairPlacesOptions = {
  places: 4,
  placesOfTenant: 3,
  placesOfManager: 2,
  waitingOfManager: 3,
  maxWaitMs: 60_000,
  createRefusal: () => refusal,
};

/** `a1` is manager 1 of the tenant a. */
const ownerOf = (name: string): PlaceOwner => ({ tenant: name.slice(0, 1), managerId: Number(name.slice(1)) });

type Work = { readonly name: string; state: 'waiting' | 'running' | 'refused' | 'done'; release: ReleasePlace };

/** Works in the order in which they were added. */
function createWorks(changed: Partial<FairPlacesOptions> = {}) {
  const places = new FairPlaces({ ...options, ...changed });
  const works: Work[] = [];
  const namesIn = (state: Work['state']): string[] =>
    works.filter((work) => work.state === state).map(({ name }) => name);
  return {
    works,
    add: async (...names: string[]): Promise<void> => {
      for (const name of names) {
        const work: Work = { name, state: 'waiting', release: () => assert.fail('it has no place') };
        works.push(work);
        void places.acquire(ownerOf(name)).then(
          (release) => Object.assign(work, { state: 'running', release }),
          (error: unknown) => {
            assert.equal(error, refusal);
            work.state = 'refused';
          },
        );
        await settle();
      }
    },
    /** Ends the first work of this name that runs. */
    end: async (name: string): Promise<void> => {
      const work = works.find((each) => each.name === name && each.state === 'running');
      assert.ok(work !== undefined, `${name} does not run`);
      work.state = 'done';
      work.release();
      await settle();
    },
    endAll: async (): Promise<void> => {
      for (const work of works) {
        if (work.state !== 'running') continue;
        work.state = 'done';
        work.release();
        await settle();
      }
    },
    running: () => namesIn('running'),
    waiting: () => namesIn('waiting'),
    refused: () => namesIn('refused'),
  };
}

test('a manager, a tenant and all of them have no more than their places; the others wait', async () => {
  const { add, end, endAll, running, waiting } = createWorks();
  await add('a1', 'a1', 'a1', 'a2', 'a3', 'b1', 'b1', 'c1');
  assert.deepEqual(running(), ['a1', 'a1', 'a2', 'b1']);
  assert.deepEqual(waiting(), ['a1', 'a3', 'b1', 'c1']);
  await end('a2');
  assert.deepEqual(running(), ['a1', 'a1', 'b1', 'c1'], 'the tenant with the fewest');
  await end('b1');
  assert.deepEqual(running(), ['a1', 'a1', 'b1', 'c1']);
  await end('a1');
  assert.deepEqual(running(), ['a1', 'a3', 'b1', 'c1'], 'the manager with the fewest');
  await end('c1');
  assert.deepEqual(running(), ['a1', 'a1', 'a3', 'b1'], 'the one who has waited longest');
  while (running().length > 0) await endAll();
  assert.deepEqual(waiting(), []);
});

test('who has to wait too long is refused and has no place, and so is who has too many waiting', async () => {
  const { add, end, running, waiting, refused } = createWorks({ maxWaitMs: 20 });
  await add('a1', 'a1', 'a1', 'a1', 'a1', 'a1');
  assert.deepEqual([running(), waiting(), refused()], [['a1', 'a1'], ['a1', 'a1', 'a1'], ['a1']]);
  await add('b1');
  assert.equal(running().length, 3, 'another finds a place');
  await pause(40);
  assert.equal(refused().length, 4);
  await end('a1');
  await add('a1');
  assert.deepEqual(running(), ['a1', 'b1', 'a1']);
});

test('a place that is given back twice is free once', async () => {
  const { works, add, endAll, running } = createWorks({ places: 1 });
  await add('a1');
  works[0]?.release();
  works[0]?.release();
  await add('b1', 'c1');
  assert.deepEqual(running().slice(1), ['b1']);
  while (running().length > 0) await endAll();
});

const names = fc.constantFrom('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
const steps = fc.array(fc.oneof(fc.record({ add: names }), fc.record({ end: fc.nat() })), { maxLength: 60 });

test('whoever comes and goes, no share is passed, no place is idle that somebody waits for and may have, and all are served', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { add, end, endAll, running, waiting, refused } = createWorks();
      const count = (start: string): number => running().filter((name) => name.startsWith(start)).length;
      const mayStart = (name: string): boolean =>
        running().length < options.places &&
        count(name.slice(0, 1)) < options.placesOfTenant &&
        count(name) < options.placesOfManager;
      for (const step of all) {
        if ('add' in step) await add(step.add);
        else if (running().length > 0) await end(running()[step.end % running().length] ?? '');
        assert.ok(running().length <= options.places);
        for (const name of running()) {
          assert.ok(count(name.slice(0, 1)) <= options.placesOfTenant);
          assert.ok(count(name) <= options.placesOfManager);
        }
        for (const name of waiting()) assert.ok(!mayStart(name), `${name} waits beside ${running().join()}`);
      }
      while (running().length > 0) await endAll();
      assert.deepEqual(waiting(), []);
      assert.equal(refused().length <= all.length, true);
    }),
    { numRuns: 200 },
  );
});
