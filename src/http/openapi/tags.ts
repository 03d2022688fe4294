// Describes the groups of operations, which are the tags of the documents.

const tagDescriptions: Readonly<Record<string, string>> = {
  Session: 'Log in and out, and read what the manager may do.',
  Profile: 'What managers change of themselves: profile, theme, email address and password.',
  Public: 'What anyone can read about a tenant.',
  'Locations and units': 'Banks, their locations, and the units in them with their settings, states and opening hours.',
  Documents: 'What units did in a run, or measured in a month: a search, tables, files and graphs.',
  Account: 'What residents consumed and paid: postings, totals, exports and reversals.',
  Bookings: 'Bookings of units, the commands on them, and the rules that they follow.',
  Residents: 'Residents of a bank.',
  Installers: 'Who services units, and where.',
  Services: 'The fixed service identities of a tenant: names, icons and API keys.',
  Computers:
    'The computers through which units are connected: their codes, their units, and what became of what they sent.',
  Imports: 'Data that come in from files, and go out to them: plans, what became of them, profiles and exports.',
  Managers: 'Managers of the tenant, and what they may do.',
  Addresses: 'Addresses and coordinates of banks, locations, units and residents, and where coordinates come from.',
  Settlements: 'The settlement periods of a bank, and their archives.',
  Equipment: 'What computers send and read.',
  'Tenant status': 'Units that are offline or out of order.',
  Hosting: 'The runtime logs and measurements of the service, its companions and its database.',
  Diagnostics: 'What the programs of the portal did lately.',
  'Audit log': 'Who changed or exported what, and when.',
  'App download': 'The app for Windows: a page, its installer and its packages.',
  Logos: 'The brand as SVG images.',
  Gradients: 'Linear gradients as SVG images.',
  Circles: 'Round gradients, progress and activity as SVG images.',
  Icons: 'Icons as SVG and raster images, and the KIDs that describe them.',
};

type Tag = { readonly name: string; readonly description?: string };

export function tagOf(group: string): Tag {
  const description = tagDescriptions[group];
  return description === undefined ? { name: group } : { name: group, description };
}
