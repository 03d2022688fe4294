// A process that is killed while it records and sends: prints the reference of each use after it has been recorded.
//   node recording-computer.ts <file> <service> <name of this life> <number of uses>

import { openTestComputer } from './test-computer.ts';

const [, , file = '', service = '', life = '', count = '0'] = process.argv;
const computer = openTestComputer({ file, service, aliveEveryMs: 20 });
if (!computer.status().isEnrolled) await computer.enrol('code');
computer.start();
for (let at = 0; at < Number(count); at += 1) {
  const ref = `${life}-${at}`;
  computer.record({ t: 'use', unit: 'u', key: '04A21B33', amountMinor: '-100', ref });
  process.stdout.write(`${ref}\n`);
  // Other work has its turn.
  await new Promise(setImmediate);
}
while (computer.status().buffered > 0) await new Promise((resolve) => setTimeout(resolve, 5));
await computer.stop();
