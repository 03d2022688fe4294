// Regenerates the generated pages, and records the examples of the OpenAPI documents (`npm run docs`).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readImages } from './docs/images-gallery.ts';
import { createImagesPage } from './docs/images.ts';
import { createGeneratedPages } from './docs/pages.ts';
import {
  drawReadmePicture,
  readmePicture,
  recordExample,
  startExampleService,
  type ExampleService,
} from './docs/example-service.ts';
import { exampleFilePath } from '../src/http/openapi/examples.ts';

const ROOT = join(import.meta.dirname, '..');

const recording = await startExampleService();
try {
  // Record the examples first: the pages show them.
  for (const operation of recording.operations) {
    writeFileSync(exampleFilePath(operation.id), await recordExample(recording, operation));
  }
  for (const [path, text] of Object.entries(createGeneratedPages(recording.operations)))
    writeFileSync(join(ROOT, path), text);
  await writeImages(recording);
  writeFileSync(join(ROOT, readmePicture), await drawReadmePicture(recording));
} finally {
  await recording.close();
}

/** Writes the page of images with its pictures, and deletes all other pictures. */
async function writeImages(from: ExampleService): Promise<void> {
  const { text, gallery } = createImagesPage(from.operations);
  const pictures = await readImages(from, gallery);
  const folder = join(ROOT, 'docs/images');
  rmSync(folder, { recursive: true, force: true });
  for (const [file, picture] of pictures) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), picture);
  }
  writeFileSync(join(ROOT, 'docs/images.md'), text);
}
