// Writes the generated pages anew, and records the examples of the OpenAPI documents (`npm run docs`).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from '../src/docs/pages.ts';
import { openRecording, recorded } from '../src/docs/recording.ts';
import { exampleFile } from '../src/http/openapi/examples.ts';

const ROOT = join(import.meta.dirname, '..');

const recording = await openRecording();
try {
  for (const [path, text] of Object.entries(generatedPages(recording.operations)))
    writeFileSync(join(ROOT, path), text);
  for (const operation of recording.operations) {
    writeFileSync(exampleFile(operation.id), await recorded(recording, operation));
  }
} finally {
  await recording.close();
}
