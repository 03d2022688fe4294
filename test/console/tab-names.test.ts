// The names of Tabs in the console: the service has no names of them for people.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOfTabs } from '../../console/src/managers/tabs.ts';
import { createTranslate } from '../../console/src/language/catalogue.ts';
import { tabs } from '../../src/permissions/matrix.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';

const t = createTranslate('en', catalogueOf('en'));

test('[console.52] every Tab of the service has a name for people, and none stands twice', () => {
  const names = namesOfTabs(tabs, t);
  assert.deepEqual(
    names.filter((name) => (tabs as readonly string[]).includes(name) || /\d/.test(name)),
    [],
  );
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.includes('Documents'));
});

test('[console.52] a Tab that the console does not know keeps its own name', () => {
  assert.deepEqual(namesOfTabs(['Users2', 'Gardens1'], t), ['Residents', 'Gardens1']);
});
