// Writes the demo tenant's services: some have a name and an icon of the tenant's own, one has an icon that can no
// longer be chosen, and one has an API key.

import type { WriteDb } from '../src/database/db.ts';
import { serviceIdOf, type ServiceIdentity } from '../src/features/services/rules/service-catalogue.ts';
import type { Tables } from '../src/database/tables.ts';
import { getDemoManagerId } from './managers.ts';

type ServiceProfile = Partial<
  Pick<Tables['services'], 'name' | 'icon' | 'api_key_hash' | 'api_key_environment' | 'api_key_made_by'>
>;

// It is not a hash of any key, so nobody can have the key.
const hashWithoutKey = `$argon2id$v=19$m=19456,t=2,p=1$${encode('demo data, 16 by')}$${encode('demo data: no key has this hash!')}`;

const profiles: Readonly<Partial<Record<ServiceIdentity, ServiceProfile>>> = {
  Gateway: { name: 'Gateway of the demo equipment', icon: 'wifi' },
  Payments: { name: 'Demo payments', icon: 'coin_box' },
  Mailer: {
    name: 'Demo mail',
    api_key_hash: hashWithoutKey,
    api_key_environment: 'production',
    api_key_made_by: getDemoManagerId('owner'),
  },
  Assistant: { name: 'Demo assistant' },
};

/** Migrations have created the services themselves. */
export async function writeServiceProfiles(db: WriteDb, now: number): Promise<void> {
  for (const [identity, profile] of Object.entries(profiles))
    await db
      .updateTable('services')
      .set(profile.api_key_hash === undefined ? profile : { ...profile, api_key_made_at: now })
      .where('service_id', '=', serviceIdOf(identity as ServiceIdentity))
      .execute();
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '');
}
