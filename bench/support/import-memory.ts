// Reads a file with as many rows as its argument says, and prints the most memory that the process held meanwhile.

import { chargesFile, createChargesProfile, readCharges } from './import-file.ts';

const rows = Number(process.argv[2]);
const profile = createChargesProfile();
await readCharges(profile, chargesFile(profile, rows), rows);
process.stdout.write(`${JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024 })}\n`);
// Until it is stopped.
setInterval(() => {}, 1000);
