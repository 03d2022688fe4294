// Adds the commands to the command line: their options, and the functions that run them. A command is loaded when it is run:
// all of them together take half a second.

import { Option, type Command } from 'commander';
import type { AnonymiseOptions } from './tenants/anonymise.ts';
import { addCommand, type AddCommand } from './add-command.ts';
import { addBackupCommand, addRestoreCommand } from './backups/add-backup-commands.ts';
import { addComputerCommands } from './equipment/add-computer-commands.ts';
import { addExportCommand, addImportCommands, addSyncCommand } from './imports/add-import-commands.ts';
import { addManagerCommands } from './managers/add-manager-commands.ts';
import { addChargesCommand, addProfileCommands } from './imports/add-profile-commands.ts';
import type { DemoOptions } from './tenants/demo.ts';
import { createTenantOption, parseInstant, parseWholeNumber } from './parse-option.ts';
import type { MigrateOptions } from './tenants/migrate.ts';
import type { RetentionOptions } from './tenants/retention.ts';
import type { SettleOptions } from './tenants/settle.ts';
import type { VerifyAuditOptions } from './verify/verify-audit.ts';
import type { VerifyLedgerOptions } from './verify/verify-ledger.ts';

const addServeCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'serve', 'Serve the API.')
    .option('--demo', 'create demo data in empty databases, accept the demo password, and change the data over time')
    .action(
      withConfig(async (config, options: { demo?: boolean }) => {
        const { serve } = await import('./serve/serve.ts');
        await serve(config, { demo: options.demo === true });
      }),
    );
};

const addEquipmentCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'equipment', 'Serve only the Equipment API, on PORTAL_EQUIPMENT_PORT.').action(
    withConfig(async (config) => {
      const { serveEquipment } = await import('./serve/serve.ts');
      await serveEquipment(config);
    }),
  );
};

const addMigrateCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'migrate', 'Create or update every tenant’s database.')
    .option('--plan', 'change nothing; print what is missing, and whether replicas of the version before can go on')
    .action(
      withConfig(async (config, options: MigrateOptions) => {
        const { migrateTenants } = await import('./tenants/migrate.ts');
        await migrateTenants(config, options);
      }),
    );
};

const addDemoCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'demo', 'Fill empty databases with demo data.')
    .addOption(
      new Option('--postings <n>', 'postings in each tenant’s first bank').argParser(parseWholeNumber(1, 50_000_000)),
    )
    .addOption(createTenantOption())
    .action(
      withConfig(async (config, options: DemoOptions) => {
        const { createDemoData } = await import('./tenants/demo.ts');
        await createDemoData(config, options);
      }),
    );
};

const addSettleCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'settle', 'Close a bank’s open settlement period and open the next.')
    .requiredOption('--tenant <name>', 'the tenant')
    .requiredOption('--bank <bank>', 'the bank’s number or KID')
    .addOption(
      new Option('--period <n>', 'the period expected to be open; if it is already closed, nothing is done').argParser(
        parseWholeNumber(1, 999_999_999),
      ),
    )
    .addOption(
      new Option('--through <instant>', 'when it ends, such as 2026-05-31T22:00:00Z (default: now)').argParser(
        parseInstant,
      ),
    )
    .action(
      withConfig(async (config, options: SettleOptions) => {
        const { settle } = await import('./tenants/settle.ts');
        await settle(config, options);
      }),
    );
};

const addRetentionCommand: AddCommand = (root, withConfig) => {
  const days = parseWholeNumber(0, 36_500);
  addCommand(root, 'retention', 'Print for how many days a tenant shows identities, and set it if asked.')
    .requiredOption('--tenant <name>', 'the tenant')
    .addOption(new Option('--accounting <days>', 'in accounts, bookings and documents; 0 shows none').argParser(days))
    .addOption(new Option('--surveillance <days>', 'in the histories of residents; 0 shows none').argParser(days))
    .action(
      withConfig(async (config, options: RetentionOptions) => {
        const { printRetention } = await import('./tenants/retention.ts');
        await printRetention(config, options);
      }),
    );
};

const addAnonymiseCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'anonymise', 'Erase the personal data of residents whose retention has run out, and report it.')
    .addOption(createTenantOption())
    .option('--dry-run', 'report what would be done, and write nothing')
    .option('--all-deleted', 'in a tenant that retains no identities, let every deleted resident expire at once')
    .action(
      withConfig(async (config, options: AnonymiseOptions) => {
        const { anonymise } = await import('./tenants/anonymise.ts');
        await anonymise(config, options);
      }),
    );
};

const addVerifyCommand: AddCommand = (root, withConfig) => {
  const verify = addCommand(root, 'verify', 'Recompute every roll-up from the postings and report any difference.')
    .addOption(createTenantOption())
    // The subcommand has the same options: those of this command end before its name.
    .enablePositionalOptions()
    .action(
      withConfig(async (config, { tenant }: { tenant?: string[] }) => {
        const { verifyRollups } = await import('./verify/verify-rollups.ts');
        await verifyRollups(config, tenant);
      }),
    );
  addCommand(
    verify,
    'ledger',
    'Check every ledger (chain, reversals, periods, roll-ups) and report the first wrong row of each kind.',
  )
    .addOption(createTenantOption())
    .option('--bank <bank>', 'only the bank with this number or KID')
    .action(
      withConfig(async (config, _options: VerifyLedgerOptions, command: Command) => {
        const { verifyLedgers } = await import('./verify/verify-ledger.ts');
        await verifyLedgers(config, command.optsWithGlobals<VerifyLedgerOptions>());
      }),
    );
  addCommand(verify, 'inflow', 'Check that each line of computers was booked or held once, with its posting.')
    .addOption(createTenantOption())
    .action(
      withConfig(async (config, _options: { tenant?: string[] }, command: Command) => {
        const { verifyInflows } = await import('./verify/verify-inflow.ts');
        await verifyInflows(config, command.optsWithGlobals<{ tenant?: string[] }>().tenant);
      }),
    );
  addCommand(verify, 'audit', 'Check the chains of the audit log and report the first wrong entry of each kind.')
    .addOption(createTenantOption())
    .option('--heads <file>', 'what this command has printed before: each chain must have those entries still')
    .action(
      withConfig(async (config, _options: VerifyAuditOptions, command: Command) => {
        const { verifyAuditLogs } = await import('./verify/verify-audit.ts');
        await verifyAuditLogs(config, command.optsWithGlobals<VerifyAuditOptions>());
      }),
    );
};

const addReleaseCommand: AddCommand = (root, withConfig) => {
  const release = addCommand(root, 'release', 'Work with releases of the Windows app.');
  addCommand(release, 'verify', 'Check a package, and explain what is wrong with it.')
    .argument('<file>', 'such as releases/sund/production/x64/Example.Portal_1.2.3.0_x64.msix')
    .action(
      withConfig(async (_config, file: string) => {
        const { verifyRelease } = await import('./verify/verify-release.ts');
        await verifyRelease(file);
      }),
    );
};

const addOpenApiCommand: AddCommand = (root, withConfig) => {
  addCommand(
    root,
    'openapi',
    'Write the OpenAPI documents in versions 3.1 and 3.0: public-v1, downloads-v1, portal-v1, equipment-v1 for computers, and all-v1 with every other operation.',
  )
    .requiredOption('--out <directory>', 'where to write them, such as ./openapi; it is created if it is missing')
    .action(
      withConfig(async (config, { out }: { out: string }) => {
        const { writeOpenApiDocuments } = await import('./openapi.ts');
        await writeOpenApiDocuments(config, out);
      }),
    );
};

const addMqttBridgeCommand: AddCommand = (root, withConfig) => {
  addCommand(root, 'mqtt-bridge', 'Carry the Equipment API to computers that speak MQTT.').action(
    withConfig(async (config) => {
      const { runMqttBridge } = await import('./equipment/mqtt-bridge.ts');
      await runMqttBridge(config);
    }),
  );
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
