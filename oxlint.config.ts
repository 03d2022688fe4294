// The linter's rules. They also keep the layers that ARCHITECTURE.md names.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

const processModule = { name: 'node:process', message: 'Use the global process, whose env only src/main.ts reads.' };

const cacheModule = { name: 'lru-cache', message: 'A feature caches data of tenants: use lib/tenant-cache.ts.' };

/** What equipment builders copy: nothing of the service depends on it. */
const equipmentClient = '**/equipment-client/**';

/** Only the backups know it: they give it the containers of its files. */
const sqliteFollower = '**/sqlite-follower/**';

/** The features, lowest layer first. A feature may use queries and rules of those below it. */
const layers = [
  'images',
  'icons',
  'passwords',
  'failed-attempts',
  'managers',
  'hosting',
  'diagnostics',
  'outbox',
  'audit',
  'places',
  'computers',
  'sessions',
  'profile',
  'services',
  'manager-administration',
  'statistics',
  'tenant-status',
  'units',
  'unit-commands',
  'documents',
  'opening-hours',
  'residents',
  'addresses',
  'account',
  'bookings',
  'authorisation',
  'desired-state',
  'inflow',
  'receipts',
  'resident-administration',
  'installers',
  'app-download',
  'import-kinds',
  'import-profiles',
  'imports',
  'rent-sync',
  'settlements',
  'backups',
];

/** Features that do by themselves what an operator does with the commands of others. */
const commandUses: Readonly<Record<string, readonly string[]>> = { 'rent-sync': ['imports'] };

/** The folders of src/http, lowest layer first. Each imports only those below it. */
const httpLayers = [
  'protocol',
  'schemas',
  'pagination',
  'representations',
  'context',
  'operations',
  'validation',
  'monitoring',
  'limits',
  'requests',
  'pages',
  'responses',
  'idempotency',
  'compression',
  'routes',
  'fast-path',
  'openapi',
  'reference',
  'console',
  'server',
];

requireLayers('src/features', layers);
requireLayers('src/http', httpLayers);

/** Throws where a folder of `parent` is not among its layers. */
function requireLayers(parent: string, declared: readonly string[]): void {
  const folders = readdirSync(join(import.meta.dirname, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  if (declared.toSorted().join() !== folders.toSorted().join())
    throw new Error(`${parent} has ${folders.join(', ')}: each needs its place among the layers`);
}

/**
 * Refuses imports out of `folder` whose specifier matches a pattern (as in .gitignore: a leading `!` allows again).
 * Specifiers are relative, so that each depth of the folder has an entry of its own, with its own way `up` and out.
 */
function boundary(
  folder: string,
  message: string,
  patterns: (up: string) => string[],
  paths = [processModule],
): OxlintOverride[] {
  return [1, 2, 3].map((depth) => {
    const patternsHere = [{ group: patterns('../'.repeat(depth)), message }];
    return {
      files: [`${folder}${'/*'.repeat(depth)}.ts`],
      rules: { 'no-restricted-imports': ['error', { paths, patterns: patternsHere }] },
    };
  });
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['node_modules', 'data', 'client', 'console/dist*', 'console/src/api/operations.ts'],
  rules: {
    // Types count: files that name each other's types have to be read together.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'max-lines-per-function': ['error', { max: 70 }],
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': 'error',
    // node:test itself reports what these promises reject with; a nested t.test() still has to be awaited.
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] }],
      },
    ],
    // No `default` stands for the members of a union that are left: a new one would silently be treated as they are.
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        allowDefaultCaseForExhaustiveSwitch: false,
        considerDefaultExhaustiveForUnions: false,
        requireDefaultForNonUnion: true,
      },
    ],
    // It takes no exhaustive switch for an end. The compiler does: noImplicitReturns.
    'typescript/consistent-return': 'off',
    // A brand, and the shape of a database row, are made by assertion.
    'typescript/no-unsafe-type-assertion': 'off',
    // A small function is best read where it is used.
    'unicorn/consistent-function-scoping': 'off',
    // Kysely's builders, and records of functions, are meant to be taken apart.
    'typescript/unbound-method': 'off',
    // The types say what a then() gives.
    'promise/always-return': 'off',
    // For windows of a browser; the ports of worker threads have no origin.
    'unicorn/require-post-message-target-origin': 'off',
    'no-restricted-imports': [
      'error',
      {
        paths: [processModule],
        patterns: [
          { group: [equipmentClient], message: 'Only the simulator and tests run the reference computer.' },
          { group: [sqliteFollower], message: 'Only the backups use the follower of SQLite files.' },
        ],
      },
    ],
    'no-restricted-properties': [
      'error',
      {
        object: 'process',
        property: 'env',
        message: 'Only src/main.ts reads it; take the environment as an argument.',
      },
    ],
  },
  overrides: [
    ...boundary('src/lib', 'lib is made of leaves.', (up) => [`${up}**`, `!${up}../locales/**`]),
    ...boundary('src/permissions', 'permissions imports only lib.', (up) => [`${up}**`, `!${up}lib/**`]),
    ...boundary('src/database', 'database imports only lib and the migrations.', (up) => [
      `${up}**`,
      `!${up}lib/**`,
      `!${up}../migrations/**`,
    ]),
    ...boundary('src/http', 'http never imports a feature.', () => [
      '**/features/**',
      '**/demo/**',
      equipmentClient,
      sqliteFollower,
    ]),
    ...httpLayers.flatMap((folder, layer) =>
      boundary(
        `src/http/${folder}`,
        'A folder of http imports only the folders below it, and never a feature.',
        (up) => [
          '**/features/**',
          '**/demo/**',
          equipmentClient,
          sqliteFollower,
          `${up}*.ts`,
          ...httpLayers.slice(layer + 1).map((above) => `${up}${above}/**`),
        ],
      ),
    ),
    ...layers.flatMap((feature, layer) =>
      boundary(
        `src/features/${feature}`,
        'A feature uses queries and rules of a lower layer, never its routes, operations or commands.',
        (up) => [
          `${up}*/routes.ts`,
          `${up}*/routes/**`,
          `${up}*/operations/**`,
          `${up}*/commands/**`,
          '**/demo/**',
          equipmentClient,
          ...(feature === 'backups' ? [] : [sqliteFollower]),
          ...layers.slice(layer + 1).map((above) => `${up}${above}/**`),
          ...(commandUses[feature] ?? []).map((used) => `!${up}${used}/commands/**`),
        ],
        [processModule, cacheModule],
      ),
    ),
    ...boundary('demo/simulator', 'The simulator does what equipment does, and uses no feature.', () => [
      '**/features/**',
      sqliteFollower,
    ]),
    ...boundary('equipment-client', 'The reference computer is a package of its own.', (up) => [`${up}**`], []),
    ...boundary('sqlite-follower', 'The follower of SQLite files is a package of its own.', () => [
      '*',
      '!./**',
      '!node:*',
      '!node:*/**',
    ]),
    {
      files: ['console/**'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                regex: String.raw`^(\.\./)+(src|test|scripts|migrations|bench)/`,
                message: 'The console speaks to the service over HTTP alone.',
              },
            ],
          },
        ],
        // Style sheets.
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
        // JSX is compiled to imports of its own.
        'react/react-in-jsx-scope': 'off',
        // Facts are pairs of a name and what is shown, and a column has a function that shows its cells.
        'react/jsx-key': 'off',
        'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
      },
    },
    { files: ['src/main.ts'], rules: { 'no-restricted-properties': 'off' } },
    {
      files: ['**/*.test.ts', 'test/**', 'bench/**', 'scripts/**', 'bin/**'],
      rules: {
        'no-restricted-imports': 'off',
        'no-restricted-properties': 'off',
        // A suite is one function.
        'max-lines-per-function': 'off',
      },
    },
  ],
});
