// Adds the commands to the command line: their options, and the functions that run them. A command is loaded when it is run:
// all of them together take half a second.

import { addCommand, type AddCommand } from './add-command.ts';
import { addBackupCommand, addRestoreCommand } from './backups/add-backup-commands.ts';
import { addComputerCommands } from './equipment/add-computer-commands.ts';
import { addExportCommand, addImportCommands, addSyncCommand } from './imports/add-import-commands.ts';
import { addManagerCommands } from './managers/add-manager-commands.ts';
import { addChargesCommand, addProfileCommands } from './imports/add-profile-commands.ts';
import { bankOption, createTenantOption, parseInstant, parseWholeNumber, tenantOption } from './parse-option.ts';

const addServeCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'serve', 'Serve the API.')
    .option('--demo', 'create demo data in empty databases, accept the demo password, and change the data over time')
    .action(actionOf(async () => (await import('./serve/serve.ts')).serve));
};

const addEquipmentCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'equipment', 'Serve only the Equipment API, on PORTAL_EQUIPMENT_PORT.').action(
    actionOf(async () => (await import('./serve/serve.ts')).serveEquipment),
  );
};

const addMqttBridgeCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'mqtt-bridge', 'Carry the Equipment API to computers that speak MQTT.').action(
    actionOf(async () => (await import('./equipment/mqtt-bridge.ts')).runMqttBridge),
  );
};

const addMigrateCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'migrate', 'Create or update every tenant’s database.')
    .option('--plan', 'change nothing; print what is missing, and whether replicas of the version before can go on')
    .action(actionOf(async () => (await import('./tenants/migrate.ts')).migrateTenants));
};

const addDemoCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'demo', 'Fill empty databases with demo data.')
    .option('--postings <n>', 'postings in each tenant’s first bank', parseWholeNumber(1, 50_000_000))
    .addOption(createTenantOption())
    .action(actionOf(async () => (await import('./tenants/demo.ts')).createDemoData));
};

const addSettleCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'settle', 'Close a bank’s open settlement period and open the next.')
    .requiredOption(...tenantOption)
    .requiredOption(...bankOption)
    .option(
      '--period <n>',
      'the period expected to be open; if it is already closed, nothing is done',
      parseWholeNumber(1, 999_999_999),
    )
    .option('--through <instant>', 'when it ends, such as 2026-05-31T22:00:00Z (default: now)', parseInstant)
    .action(actionOf(async () => (await import('./tenants/settle.ts')).settle));
};

const addRetentionCommand: AddCommand = (root, actionOf) => {
  const days = parseWholeNumber(0, 36_500);
  addCommand(root, 'retention', 'Print for how many days a tenant shows identities, and set it if asked.')
    .requiredOption(...tenantOption)
    .option('--accounting <days>', 'in accounts, bookings and documents; 0 shows none', days)
    .option('--surveillance <days>', 'in the histories of residents; 0 shows none', days)
    .action(actionOf(async () => (await import('./tenants/retention.ts')).printRetention));
};

const addAnonymiseCommand: AddCommand = (root, actionOf) => {
  addCommand(root, 'anonymise', 'Erase the personal data of residents whose retention has run out, and report it.')
    .addOption(createTenantOption())
    .option('--dry-run', 'report what would be done, and write nothing')
    .option('--all-deleted', 'in a tenant that retains no identities, let every deleted resident expire at once')
    .action(actionOf(async () => (await import('./tenants/anonymise.ts')).anonymise));
};

const addVerifyCommand: AddCommand = (root, actionOf) => {
  const verify = addCommand(root, 'verify', 'Recompute every roll-up from the postings and report any difference.')
    .addOption(createTenantOption())
    // The subcommand has the same options: those of this command end before its name.
    .enablePositionalOptions()
    .action(actionOf(async () => (await import('./verify/verify-rollups.ts')).verifyRollups));
  addCommand(
    verify,
    'ledger',
    'Check every ledger (chain, reversals, periods, roll-ups) and report the first wrong row of each kind.',
  )
    .addOption(createTenantOption())
    .option('--bank <bank>', 'only the bank with this number or KID')
    .action(actionOf(async () => (await import('./verify/verify-ledger.ts')).verifyLedgers));
  addCommand(verify, 'inflow', 'Check that each line of computers was booked or held once, with its posting.')
    .addOption(createTenantOption())
    .action(actionOf(async () => (await import('./verify/verify-inflow.ts')).verifyInflows));
  addCommand(verify, 'audit', 'Check the chains of the audit log and report the first wrong entry of each kind.')
    .addOption(createTenantOption())
    .option('--heads <file>', 'what this command has printed before: each chain must have those entries still')
    .action(actionOf(async () => (await import('./verify/verify-audit.ts')).verifyAuditLogs));
};

const addReleaseCommand: AddCommand = (root, actionOf) => {
  const release = addCommand(root, 'release', 'Work with releases of the Windows app.');
  addCommand(release, 'verify', 'Check a package, and explain what is wrong with it.')
    .argument('<file>', 'such as releases/sund/production/x64/Example.Portal_1.2.3.0_x64.msix')
    .action(actionOf(async () => (await import('./verify/verify-release.ts')).verifyRelease));
};

const addOpenApiCommand: AddCommand = (root, actionOf) => {
  addCommand(
    root,
    'openapi',
    'Write the OpenAPI documents in versions 3.1 and 3.0: public-v1, downloads-v1, portal-v1, equipment-v1 for computers, and all-v1 with every other operation.',
  )
    .requiredOption('--out <directory>', 'where to write them, such as ./openapi; it is created if it is missing')
    .action(actionOf(async () => (await import('./openapi.ts')).writeOpenApiDocuments));
};

/** In the order of the help. */
export const commands: readonly AddCommand[] = [
  addServeCommand,
  addEquipmentCommand,
  addMqttBridgeCommand,
  addMigrateCommand,
  addDemoCommand,
  addManagerCommands,
  addProfileCommands,
  addComputerCommands,
  addImportCommands,
  addExportCommand,
  addSyncCommand,
  addSettleCommand,
  addChargesCommand,
  addRetentionCommand,
  addAnonymiseCommand,
  addBackupCommand,
  addRestoreCommand,
  addVerifyCommand,
  addReleaseCommand,
  addOpenApiCommand,
];
