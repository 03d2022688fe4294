// Checks which commands the state of a resident allows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldCommands } from '../../residents/fields.ts';
import {
  findCommandRefusal,
  isShownElsewhere,
  residentCommands,
  residentStateOf,
  residentStates,
  type CommandRefusal,
  type ResidentCommand,
  type ResidentState,
} from './allowed-commands.ts';

const settersAndKeys = [...fieldCommands, 'SetLocation', 'SetPin', 'AddKey', 'RemoveKey'] as const;
const deleted = Object.fromEntries(settersAndKeys.map((command) => [command, 'deleted' as const]));

/** The refused commands of each state, with their reasons; every other command is allowed. */
const refusals: Readonly<Record<ResidentState, Partial<Record<ResidentCommand, CommandRefusal>>>> = {
  active: { Enable: 'not-disabled', Restore: 'not-deleted' },
  disabled: { Disable: 'not-active', RenewActivation: 'not-active', Restore: 'not-deleted' },
  deleted: { ...deleted, Enable: 'deleted', Disable: 'deleted', Delete: 'deleted', RenewActivation: 'deleted' },
};

test('[residents.20] Disable, Enable, Delete and Restore are allowed in exactly their states', () => {
  for (const state of residentStates)
    for (const command of residentCommands)
      assert.equal(
        findCommandRefusal(command, { state, keyCount: 1, isVisible: true }),
        refusals[state][command],
        `${command} of one who is ${state}`,
      );
});

test('[residents.21] Restore is refused if the manager’s RetentionDays does not show the resident', () => {
  const conditions = { state: 'deleted', keyCount: 0, isVisible: false } as const;
  assert.equal(findCommandRefusal('Restore', conditions), 'not-retained');
  assert.equal(findCommandRefusal('Restore', { ...conditions, isVisible: true }), undefined);
  for (const state of ['active', 'disabled'] as const)
    assert.equal(findCommandRefusal('Restore', { ...conditions, state }), 'not-deleted');
});

test('a resident has at most 20 keys, and one without keys has none to remove', () => {
  for (const state of ['active', 'disabled'] as const) {
    const refusalWith = (command: ResidentCommand, keyCount: number) =>
      findCommandRefusal(command, { state, keyCount, isVisible: true });
    assert.equal(refusalWith('AddKey', 19), undefined);
    assert.equal(refusalWith('AddKey', 20), 'too-many-keys');
    assert.equal(refusalWith('RemoveKey', 0), 'no-keys');
    assert.equal(refusalWith('RemoveKey', 1), undefined);
    assert.equal(refusalWith('RemoveKey', 20), undefined);
  }
});

test('a deleted resident is in the state deleted, whether enabled or not', () => {
  assert.equal(residentStateOf({ enabled: 1, deleted_at: null }), 'active');
  assert.equal(residentStateOf({ enabled: 0, deleted_at: null }), 'disabled');
  for (const enabled of [0, 1]) assert.equal(residentStateOf({ enabled, deleted_at: 0 }), 'deleted');
});

test('accounts, receipts and bookings show names, locations and deletions, and nothing else of a resident', () => {
  assert.deepEqual(residentCommands.filter(isShownElsewhere), ['SetName', 'SetLocation', 'Delete', 'Restore']);
});
