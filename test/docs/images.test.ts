// docs/images.md and its pictures are current and complete.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { icons } from '../../src/features/icons/assets/icon-catalogue.ts';
import { iconSets, listIconsOfSet } from '../../src/features/icons/assets/icon-sets.ts';
import { portalColorNames } from '../../src/lib/color/portal-color-names.ts';
import { createFormatsSection } from '../../scripts/docs/images-icon-kids.ts';
import { readImages } from '../../scripts/docs/images-gallery.ts';
import { createImagesPage, type ImagesPage } from '../../scripts/docs/images.ts';
import { startExampleService, type ExampleService } from '../../scripts/docs/example-service.ts';

const docs = join(import.meta.dirname, '../../docs');
const readCommittedFile = (path: string): string => readFileSync(join(docs, path), 'utf8').replaceAll('\r\n', '\n');

let exampleService: ExampleService;
let page: ImagesPage;
before(async () => {
  exampleService = await startExampleService();
  page = createImagesPage(exampleService.operations);
});
after(() => exampleService.close());

test('docs/images.md is current (npm run docs)', () => {
  assert.equal(readCommittedFile('images.md'), page.text);
});

test('every picture of the page equals the current answer, and there are no others (npm run docs)', async () => {
  for (const [file, text] of await readImages(exampleService, page.gallery))
    assert.ok(readCommittedFile(`images/${file}`) === text.replaceAll('\r\n', '\n'), `images/${file} is out of date`);
  assert.deepEqual(filesIn(join(docs, 'images')).toSorted(), [...page.gallery.keys()].toSorted());
});

test('the pictures together are smaller than a megabyte', () => {
  const bytes = filesIn(join(docs, 'images')).map((file) => statSync(join(docs, 'images', file)).size);
  assert.ok(bytes.reduce((sum, each) => sum + each) < 1_000_000);
});

test('the page has every icon in both sets, and names those that a set lacks', () => {
  const { text, gallery } = page;
  for (const { name, retired } of icons)
    for (const set of iconSets) {
      assert.equal(gallery.has(`${set}/${name}.svg`), retired !== true, name);
      const cell = text.split('\n').find((line) => line.includes(`<code>${name}</code>`)) ?? '';
      const isLacking = retired !== true && !listIconsOfSet(set).includes(name);
      assert.equal(cell.includes(`not in ${set}`), isLacking, `${name} in ${set}`);
      assert.ok(retired !== true || text.includes(`\`${name}\``), name);
    }
});

test('the page has every colour of the portal with its value', () => {
  for (const [name, rgb] of Object.entries(portalColorNames)) {
    const hex = rgb.toString(16).padStart(6, '0');
    assert.ok(page.text.includes(`<code>${name}</code><br><code>${hex}</code>`), name);
    const colors = readCommittedFile(`images/colors/${name}.svg`).match(/#[\da-f]{6}/g);
    assert.deepEqual(new Set(colors), new Set([`#${hex}`]));
  }
});

test('the page has every operation of the families', () => {
  const families = exampleService.operations.filter(({ group }) =>
    ['Logos', 'Gradients', 'Circles', 'Icons'].includes(group),
  );
  assert.equal(families.length, 22);
  for (const { id } of families) assert.ok(page.text.includes(`[\`${id}\`](operations.md#${id.toLowerCase()})`), id);
});

test('each file ending is answered with the media type in the table of formats', async () => {
  const rows = createFormatsSection()
    .join('\n')
    .matchAll(/^\| (`.*?`) \| `(.*?)` \|/gm);
  let endings = 0;
  for (const [, names = '', type] of rows)
    for (const [, ending = ''] of names.matchAll(/`(\w+)`/g)) {
      const url = `/api/v1/icon/line/house/16.${ending}`;
      const { headers } = await exampleService.app.inject({ url, headers: { host: 'api.sund.localhost' } });
      assert.equal(headers['content-type'], type, ending);
      endings += 1;
    }
  assert.equal(endings, 12);
});

test('every link and every picture of the page has a target', () => {
  for (const [, target = ''] of page.text.matchAll(/ src="([^"]+)"/g))
    assert.ok(existsSync(join(docs, target)), target);
  for (const [, file = ''] of page.text.matchAll(/\]\(([^#)]+)/g)) assert.ok(existsSync(join(docs, file)), file);
  for (const [, file = '', anchor = ''] of page.text.matchAll(/\]\(([^#)]*)#([^)]+)\)/g)) {
    const headings = [...readCommittedFile(file === '' ? 'images.md' : file).matchAll(/^#+ (.*)$/gm)];
    const anchors = headings.map(([, heading = '']) => heading.toLowerCase().replaceAll(/[^\w\- ]/g, ''));
    assert.ok(anchors.map((heading) => heading.replaceAll(' ', '-')).includes(anchor), `${file}#${anchor}`);
  }
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}
