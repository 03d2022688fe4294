// Every type of units has commands, and only those that fit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitTypeCode, unitTypes } from '../../places/rules/unit-types.ts';
import { commandNames, commandsOf } from './command-catalogue.ts';

test('every unit can be restarted, and names are those of the catalogue', () => {
  for (const type of unitTypes) {
    const names = commandsOf(unitTypeCode(type));
    assert.ok(names.includes('Restart'), type);
    assert.equal(new Set(names).size, names.length, type);
    assert.ok(
      names.every((name) => commandNames.includes(name)),
      type,
    );
  }
  assert.deepEqual(commandsOf(undefined), ['Restart']);
  assert.deepEqual(commandsOf(9999), ['Restart']);
});

test('doors are unlocked, machines stop programs, and neither does what the other one does', () => {
  const door = commandsOf(unitTypeCode('door'));
  const washer = commandsOf(unitTypeCode('washer'));
  assert.ok(door.includes('Unlock') && !door.includes('StopProgram'));
  assert.ok(washer.includes('StopProgram') && !washer.includes('Unlock'));
});
