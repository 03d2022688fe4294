// Writes a dozen installers of the demo tenant, in every state, with the locations where they work.

import { insertInstallers, type NewInstaller } from '../src/features/installers/queries/insert-installers.ts';
import type { WriteDb } from '../src/database/db.ts';
import type { InstallerState } from '../src/features/installers/rules/installer-states.ts';
import type { DemoBank } from './places/places.ts';
import { dayMs } from '../src/lib/time/durations.ts';

const firstInstallerId = 2001;
const count = 12;

// Invented names.
export const installerNames = [
  'Alder',
  'Aspen',
  'Beech',
  'Birch',
  'Cedar',
  'Elm',
  'Hazel',
  'Juniper',
  'Larch',
  'Maple',
  'Rowan',
  'Yew',
];
const organisations = ['Demo Laundry Service', 'Demo Locks and Doors', 'Demo Meters', 'Demo Plumbing'];
export const installerTags = ['Laundry', 'Locks', 'Meters', 'Plumbing', 'Electricity', 'On call'];
const icons = ['person_engineer', 'person', 'person_check', 'person_support'];

export async function writeInstallers(db: WriteDb, banks: readonly DemoBank[], now: number): Promise<void> {
  await insertInstallers(
    db,
    Array.from({ length: count }, (_, index) => createDemoInstaller(index, banks, now)),
  );
}

function createDemoInstaller(index: number, banks: readonly DemoBank[], now: number): NewInstaller {
  const state = stateAt(index);
  const places = banks.flatMap(({ bankId, locations }) => locations.map(({ locationId }) => ({ bankId, locationId })));
  const pick = (all: readonly string[], step: number): string => all[(index * step) % all.length] ?? '';
  return {
    installerId: firstInstallerId + index,
    name: `Demo Installer ${installerNames[index]}`,
    email: `installer${index + 1}@example.org`,
    phone: `000-${String(9001 + index)}`,
    organisation: pick(organisations, 1),
    tags: [...new Set([pick(installerTags, 1), pick(installerTags, 5)])],
    state,
    lastActivityAt: state === 'invited' ? null : now - (index * index + 1) * (dayMs / 4),
    icon: pick(icons, 1),
    locations: places.filter((_place, place) => place % count === index || (place + 1) % count === index),
  };
}

function stateAt(index: number): InstallerState {
  if (index % 6 === 4) return 'invited';
  return index % 6 === 5 ? 'disabled' : 'active';
}
