// Writes the generated pages anew, and records the examples of the OpenAPI documents (`npm run docs`).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drawn } from '../src/docs/images-gallery.ts';
import { imagesPage } from '../src/docs/images.ts';
import { generatedPages } from '../src/docs/pages.ts';
import { openRecording, recorded, type Recording } from '../src/docs/recording.ts';
import { exampleFile } from '../src/http/openapi/examples.ts';

const ROOT = join(import.meta.dirname, '..');

const recording = await openRecording();
try {
  for (const [path, text] of Object.entries(generatedPages(recording.operations)))
    writeFileSync(join(ROOT, path), text);
  await writeImages(recording);
  for (const operation of recording.operations) {
    writeFileSync(exampleFile(operation.id), await recorded(recording, operation));
  }
} finally {
  await recording.close();
}

/** The page of images, with its pictures and no others. */
async function writeImages(from: Recording): Promise<void> {
  const { text, gallery } = imagesPage(from.operations);
  const pictures = await drawn(from, gallery);
  const folder = join(ROOT, 'docs/images');
  rmSync(folder, { recursive: true, force: true });
  for (const [file, picture] of pictures) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), picture);
  }
  writeFileSync(join(ROOT, 'docs/images.md'), text);
}
