// Which node of a cluster transactions go to, with nodes that answer as the test says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../support/async.ts';
import { createNodeChoice, type ProbeNode } from '../../src/database/dialects/mysql/node-choice.ts';

const nodes = ['n0', 'n1', 'n2'].map((host) => ({ host, port: 3306 }));
const silent = (): Promise<never> => new Promise(() => {});

type Answer = 'writing' | 'reading' | 'refuses' | 'silent';

/** Answers can be changed at any time. */
function createChoice(t: { after(work: () => void): void }, answers: Record<string, Answer>) {
  const probe: ProbeNode = async ({ host }) => {
    const { [host]: answer = 'refuses' } = answers;
    if (answer === 'silent') return silent();
    if (answer === 'refuses') throw new Error(`${host} refuses`);
    return answer;
  };
  const choice = createNodeChoice(nodes, probe);
  t.after(() => choice.close());
  return {
    answers,
    choose: async () => (await choice.choose()).host,
    doubt: (at: number) => choice.doubt(nodes[at]!),
    watch: (at: number, onLeft: () => void) => choice.watch(nodes[at]!, onLeft),
  };
}

test('the first node by rank that can be used is chosen, whatever those behind it do', async (t) => {
  const choice = createChoice(t, { n0: 'writing', n1: 'silent', n2: 'refuses' });
  assert.equal(await choice.choose(), 'n0');
  choice.doubt(0);
  assert.equal(await choice.choose(), 'n0');
});

test('a node that was doubted and works goes on, while one before it is silent', async (t) => {
  const choice = createChoice(t, { n0: 'refuses', n1: 'writing', n2: 'writing' });
  assert.equal(await choice.choose(), 'n1');
  choice.answers['n0'] = 'silent';
  choice.doubt(1);
  assert.deepEqual(await Promise.all([choice.choose(), choice.choose()]), ['n1', 'n1']);
});

test('a node that was doubted and does not work is left for the next one', async (t) => {
  const choice = createChoice(t, { n0: 'writing', n1: 'writing' });
  assert.equal(await choice.choose(), 'n0');
  choice.answers['n0'] = 'refuses';
  choice.doubt(0);
  assert.equal(await choice.choose(), 'n1');
});

test('[cluster.04] whoever watches a node learns once that another one is chosen, also if that was before', async (t) => {
  const choice = createChoice(t, { n0: 'writing', n1: 'writing' });
  assert.equal(await choice.choose(), 'n0');
  const left: string[] = [];
  choice.watch(0, () => left.push('first'));
  choice.watch(0, () => left.push('ended'))();
  choice.doubt(0);
  assert.equal(await choice.choose(), 'n0');
  assert.equal(left.length, 0, 'a doubt alone moves nobody');
  choice.answers['n0'] = 'refuses';
  choice.doubt(0);
  assert.equal(await choice.choose(), 'n1');
  assert.deepEqual(left, ['first']);
  choice.watch(0, () => left.push('late'));
  choice.watch(1, () => left.push('never'));
  assert.deepEqual(left, ['first', 'late']);
});

test('a node that only reads is used while no other can be written to', async (t) => {
  const choice = createChoice(t, { n0: 'reading', n1: 'writing' });
  assert.equal(await choice.choose(), 'n1');
  choice.answers['n1'] = 'refuses';
  choice.doubt(1);
  assert.equal(await choice.choose(), 'n0');
  choice.answers['n2'] = 'writing';
  await waitUntil('the last one is chosen', async () => (await choice.choose()) === 'n2');
});

test('[cluster.01] a user that every node refuses is told so at once, and again served when one takes it', async (t) => {
  const refused = Object.assign(new Error('access denied'), { errno: 1045 });
  let isOneBetter = false;
  const probe: ProbeNode = async ({ host }) => {
    if (isOneBetter && host === 'n1') return 'writing';
    throw refused;
  };
  const choice = createNodeChoice(nodes, probe);
  t.after(() => choice.close());
  const from = performance.now();
  await assert.rejects(choice.choose(), { failure: 'unavailable', cause: refused });
  // It would wait for fifteen seconds for a node that may come.
  assert.ok(performance.now() - from < 10_000);
  isOneBetter = true;
  assert.equal((await choice.choose()).host, 'n1');
});
