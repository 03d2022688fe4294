// Checks graphs by parsing the drawing: points against the stored numbers, breaks of lines, scales, times, and texts
// that look like markup.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allOf,
  createValueReader,
  readCircles,
  readPanels,
  readScale,
  readStretches,
  readSvg,
  textsOf,
  type DrawnPoint,
  type SvgElement,
} from '../../../../test/documents/support/read-formats.ts';
import {
  column,
  createManySeries,
  createMeterMonth,
  createWashingRun,
  headOf,
  ms2000Of,
  samplesOf,
  type Sample,
} from '../../../../test/documents/support/sample-documents.ts';
import { Problem } from '../../../lib/problem.ts';
import type { SampleColumn, DocumentHead, DocumentSamples } from '../rules/document-table.ts';
import { renderDocument } from './render-document.ts';
import { codePoint } from '../../../../test/support/code-point.ts';
import { minuteMs } from '../../../lib/time/durations.ts';

const render = (head: DocumentHead, samples: DocumentSamples, width = 1200): string =>
  Buffer.from(renderDocument('svg', head, samples, { width })).toString();

const start = ms2000Of('2026-01-15T13:00:00Z');

/** The panel of the one series that these texts make, a minute apart; undefined where another column has a sample. */
function panelOf(texts: readonly (string | null | undefined)[], options: Partial<SampleColumn> = {}): SvgElement {
  const list = texts.map((text, index): Sample => [start + index * minuteMs, text === undefined ? 1 : 0, text ?? null]);
  const head = headOf([column('A', options), column('B', { valueType: 'text' })], {
    throughMs2000: start + Math.max(1, texts.length - 1) * minuteMs,
  });
  const marked = list.map(([at, index, text]): Sample => [at, index, index === 1 ? 'other' : text]);
  return [...readPanels(render(head, samplesOf(marked))).values()][0] as SvgElement;
}

/** The positions of samples a minute apart, from the first and last corner of a series of two samples. */
const isNear = (a: number, b: number, tolerance = 0.06): boolean => Math.abs(a - b) <= tolerance;

const valuesOf = (panel: SvgElement): number[][] => {
  const read = createValueReader(panel);
  return readStretches(panel).map((points) => points.map(({ y }) => Math.round(read(y) * 10) / 10));
};

test('[documents.48] a stored null and a measurement that is not a number break the line', () => {
  for (const invalid of [null, '', 'n/a', 'NaN', '1e999', '-', '0x10'])
    assert.deepEqual(valuesOf(panelOf(['0', '50', invalid, '70', '100'])), [
      [0, 50],
      [70, 100],
    ]);
});

test('[documents.49] a time at which only another series has a sample does not break the line', () => {
  assert.deepEqual(valuesOf(panelOf(['0', '50', undefined, '70', undefined, undefined, '100'])), [[0, 50, 70, 100]]);
});

test('[documents.48, documents.49] lines break exactly at nulls and invalid values', () => {
  const anyValue = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 1000 }).map((tenths) => (tenths / 10).toFixed(1)) },
    fc.constant(null),
    fc.constant('broken'),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(fc.array(anyValue, { minLength: 1, maxLength: 40 }), (texts) => {
      // Both ends of the scale, so that it is from 0 to 100.
      const all = ['0.0', '100.0', ...texts];
      const own = all.filter((text) => text !== undefined);
      const expected = [[]] as number[][];
      for (const text of own)
        if (text === null || text === 'broken') expected.push([]);
        else expected.at(-1)?.push(Number(text));
      const drawn = valuesOf(panelOf(all));
      const stretches = expected.filter(({ length }) => length > 0);
      assert.equal(drawn.length, stretches.length);
      for (const [at, stretch] of stretches.entries()) {
        assert.equal(drawn[at]?.length, stretch.length);
        for (const [index, value] of stretch.entries()) assert.ok(isNear(drawn[at]?.[index] ?? Number.NaN, value, 0.2));
      }
    }),
  );
});

test('[documents.46] each series has its own scale, with its label and a readable unit', () => {
  const units = [
    ['Cel', '°C'],
    ['kW.h', 'kWh'],
    ['m3', 'm³'],
    ['/min', '1/min'],
  ] as const;
  const columns = units.map(([unitOfMeasure], index) =>
    column(`C${index}`, { label: `Label ${index}`, unitOfMeasure }),
  );
  const ranges = [
    [0, 80],
    [48_000, 50_000],
    [0, 0.002],
    [-300, -100],
  ] as const;
  const list = ranges.flatMap(([from, to], index): Sample[] => [
    [start, index, String(from)],
    [start + minuteMs, index, String(to)],
  ]);
  const panels = readPanels(render(headOf(columns), samplesOf(list)));
  assert.deepEqual(
    [...panels.keys()],
    units.map(([, readable], index) => `Label ${index} (${readable})`),
  );
  for (const [index, [name, panel]] of [...panels].entries()) {
    const labels = readScale(panel).map(({ label }) => Number(label));
    const [from, to] = ranges[index] ?? [0, 0];
    assert.ok(labels.length >= 3, `${name}: ${labels.join(' ')}`);
    assert.ok(
      labels.every((label) => label >= from - (to - from) / 2 && label <= to + (to - from) / 2),
      `${name}: ${labels.join(' ')}`,
    );
    const texts = textsOf(panel);
    assert.ok(texts.includes(`Label ${index}`) && texts.includes(units[index]?.[1] ?? ''), texts.join('|'));
  }
});

test('the scale of whole numbers has only whole numbers', () => {
  for (const valueType of ['int', 'duration', 'money'] as const)
    for (const texts of [['0'], ['5'], ['0', '1'], ['97', '100'], ['-3', '2'], ['12345', '12346']]) {
      const labels = readScale(panelOf(texts, { valueType })).map(({ label }) => label);
      assert.ok(
        labels.length >= 2 && labels.every((label) => /^-?\d+$/.test(label)),
        `${texts.join()}: ${labels.join()}`,
      );
    }
});

test('numbers of thousands of digits are drawn quickly, as the doubles that they spell', () => {
  const { head } = createManySeries(2, 16);
  const digits = '123456789.'.padEnd(16_384, '7');
  const list = head.columns.flatMap((_, index): Sample[] => [
    [start, index, digits],
    [start + 1, index, `-${digits.slice(1)}`],
  ]);
  const svg = render(headOf(head.columns), samplesOf(list));
  assert.ok(svg.length < 50_000, `${svg.length} characters`);
  const texts = textsOf(readSvg(svg)).map((text) => text.replaceAll('\u202F', ''));
  assert.equal(texts.filter((text) => text.includes('max 123456789.7777777')).length, 16);
});

test('a scale has at least two labels, all different and in order, for any range of numbers', () => {
  const anyNumber = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
    fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000),
    fc.integer(),
  );
  fc.assert(
    fc.property(anyNumber, anyNumber, fc.constantFrom('int', 'decimal'), (a, b, valueType) => {
      fc.pre(a !== b && Math.abs(a - b) > Math.abs(a) * 1e-9);
      const scale = readScale(panelOf([plainText(a), plainText(b)], { valueType }));
      const values = scale.map(({ label }) => Number(label.replace('\u2212', '-')));
      assert.ok(values.length >= 2, `${a} ${b}`);
      for (const [index, value] of values.entries())
        assert.ok(
          index === 0 || (value > (values[index - 1] ?? 0) && (scale[index]?.y ?? 0) < (scale[index - 1]?.y ?? 0)),
          `${a} ${b}: ${values.join(' ')}`,
        );
    }),
    { numRuns: 300 },
  );
});

const plainText = (value: number): string => String(value).replace('e+', 'e');

/** Each corner differs from the previous one in only one direction. */
const isStepped = (points: readonly DrawnPoint[]): boolean =>
  points.every(({ x, y }, index) => index === 0 || x === points[index - 1]?.x || y === points[index - 1]?.y);

/** What a step line shows over time: the name of the value on each horizontal stretch. */
function namesOf(panel: SvgElement): string[][] {
  const scale = readScale(panel);
  return readStretches(panel).map((points) => {
    assert.ok(isStepped(points));
    const levels = points.flatMap(({ x, y }, index) => (index > 0 && x !== points[index - 1]?.x ? [y] : []));
    return levels.map((y) => scale.find((tick) => isNear(tick.y, y, 0.2))?.label ?? '?');
  });
}

test('[documents.47] enums and booleans are steps between the names of their values', () => {
  const phases = { valueType: 'enum', options: ['Idle', 'Filling', 'Heating', 'Done'] } as const;
  const panel = panelOf(['Filling', undefined, 'Done', 'Heating', undefined], phases);
  assert.deepEqual(namesOf(panel), [['Filling', 'Done', 'Heating']]);
  // In the order of the options, and only those that occur.
  assert.deepEqual(
    readScale(panel).map(({ label }) => label),
    ['Filling', 'Heating', 'Done'],
  );
  assert.deepEqual(namesOf(panelOf(['true', 'false', 'true', undefined], { valueType: 'bool' })), [
    ['true', 'false', 'true'],
  ]);
  assert.deepEqual(
    readScale(panelOf(['true', 'true'], { valueType: 'bool' })).map(({ label }) => label),
    ['false', 'true'],
  );
});

test('[documents.47, documents.48] a step lasts until the next sample, even an invalid one, or until the end', () => {
  const panel = panelOf(['true', undefined, 'false', null, undefined, 'true', 'maybe', 'false', undefined], {
    valueType: 'bool',
  });
  assert.deepEqual(namesOf(panel), [['true', 'false'], ['true'], ['false']]);
  const stretches = readStretches(panel);
  const [from, to] = [stretches[0]?.[0]?.x ?? 0, stretches.at(-1)?.at(-1)?.x ?? 0];
  const minutes = stretches.map((points) =>
    [points[0], points.at(-1)].map((point) => Math.round((((point?.x ?? 0) - from) / (to - from)) * 80) / 10),
  );
  assert.deepEqual(minutes, [
    [0, 3],
    [5, 6],
    [7, 8],
  ]);
});

test('single points are drawn', () => {
  for (const texts of [['5'], [null, '5', null], ['1', null, '5', null, '9']]) {
    const panel = panelOf(texts);
    assert.ok(readCircles(panel).length >= texts.filter((text) => text !== null).length, String(texts));
  }
  // A value that begins where the document ends.
  const last = panelOf(['true', 'false'], { valueType: 'bool' });
  const [low] = readScale(last);
  assert.deepEqual([low?.label, ...readCircles(last).map(({ y }) => isNear(y, low?.y ?? 0, 0.1))], ['false', true]);
  assert.deepEqual(readCircles(panelOf(['true', undefined], { valueType: 'bool' })), []);
});

const refusal = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && error.status === 422;

test('[documents.45] sixteen series are drawn, seventeen are too many, and none is refused', () => {
  const { head, samples } = createManySeries(3, 16);
  assert.equal(readPanels(render(head, samples)).size, 16);
  const more = createManySeries(3, 17);
  assert.throws(() => render(more.head, more.samples), refusal('too-many-series'));
  for (const texts of [[], [null], ['x', '', '1e999']])
    assert.throws(
      () => render(headOf([column('A')]), samplesOf(texts.map((text, index): Sample => [start + index, 0, text]))),
      refusal('no-numeric-data'),
    );
  const words = headOf([column('A', { valueType: 'text' }), column('B', { valueType: 'time' })]);
  assert.throws(
    () =>
      render(
        words,
        samplesOf([
          [start, 0, '12'],
          [start, 1, '07:00'],
        ]),
      ),
    refusal('no-numeric-data'),
  );
  assert.throws(() => render(headOf([]), samplesOf([])), refusal('no-numeric-data'));
});

test('[documents.45] only columns with numbers count as series, and the graph names the others', () => {
  const { head, samples } = createManySeries(3, 16);
  const others = [column('X', { label: 'Empty one' }), column('Y', { label: 'Words', valueType: 'text' })];
  const words = [[head.fromMs2000, 17, 'Cotton']] as const;
  const all = samplesOf([
    ...samples.ms2000.map((at, index): Sample => [at, samples.columns[index] ?? 0, samples.texts[index] ?? null]),
    ...words,
  ]);
  const svg = render({ ...head, columns: [...head.columns, ...others] }, all);
  assert.equal(readPanels(svg).size, 16);
  // A long list is cut, so those that have samples come first.
  assert.ok(textsOf(readSvg(svg)).includes('Without numbers: Words, Empty one'));
});

test('long series keep their extremes: in every column of pixels the drawn line goes as high and as low as all points', () => {
  const pointCount = 40_000;
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(480, 1200, 2400), (seed, width) => {
      let state = seed;
      const next = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) / 0x7fff_ffff;
      const texts = Array.from({ length: pointCount }, () =>
        (next() < 0.001 ? next() * 100 : 40 + next() * 20).toFixed(2),
      );
      const stepMs = 60_000;
      const head = headOf([column('A')], { throughMs2000: start + (pointCount - 1) * stepMs });
      const svg = render(
        head,
        samplesOf(
          ['0.00', '100.00', ...texts.slice(2)].map((text, index): Sample => [start + index * stepMs, 0, text]),
        ),
        width,
      );
      const panel = [...readPanels(svg).values()][0] as SvgElement;
      const [points = []] = readStretches(panel);
      assert.ok(points.length < width * 4.1, `${points.length} points`);
      const [left, right] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
      const read = createValueReader(panel);
      const drawn = extremesByPixel(points.map(({ x, y }) => [x, read(y)]));
      const placed = ['0', '100', ...texts.slice(2)].map((text, index) => [
        left + (index / (pointCount - 1)) * (right - left),
        Number(text),
      ]);
      // The last bit decides to which column a point between two columns belongs.
      const all = extremesByPixel(placed.filter(([x = 0]) => Math.abs(x - Math.round(x)) > 1e-6));
      for (const [pixel, [low, high]] of all) {
        // Rounded to a tenth of a pixel, a point can move into the next column.
        const near = [drawn.get(pixel - 1), drawn.get(pixel), drawn.get(pixel + 1)]
          .flat()
          .filter((value) => value !== undefined);
        const isCovered = Math.min(...near) <= low + 0.25 && Math.max(...near) >= high - 0.25;
        assert.ok(isCovered, `pixel ${pixel}: ${low} to ${high}, drawn ${near.join(' ')}`);
      }
    }),
    { numRuns: 4 },
  );
});

function extremesByPixel(points: readonly (readonly number[])[]): Map<number, [low: number, high: number]> {
  const extremes = new Map<number, [number, number]>();
  for (const [x = 0, value = 0] of points) {
    const pixel = Math.floor(x);
    const [low, high] = extremes.get(pixel) ?? [value, value];
    extremes.set(pixel, [Math.min(low, value), Math.max(high, value)]);
  }
  return extremes;
}

/** The texts below the panels: times, and dates. */
function readTimeAxis(svg: string): { times: string[]; dates: string[] } {
  const texts = readSvg(svg).children.filter(
    ({ name, attributes }) => name === 'text' && attributes['font-size'] === '11',
  );
  const rows = [...new Set(texts.map(({ attributes }) => Number(attributes['y'])))].toSorted((a, b) => a - b);
  const row = (y: number | undefined): string[] =>
    texts
      .filter(({ attributes }) => Number(attributes['y']) === y)
      .toSorted((a, b) => Number(a.attributes['x']) - Number(b.attributes['x']))
      .map(({ text }) => text);
  return { times: row(rows[0]), dates: row(rows[1]) };
}

const axisOf = (from: string, through: string, timeZone = 'Europe/Copenhagen', width = 1200) => {
  const [fromMs2000, throughMs2000] = [ms2000Of(from), ms2000Of(through)];
  const head = headOf([column('A')], { fromMs2000, throughMs2000, timeZone });
  return readTimeAxis(
    render(
      head,
      samplesOf([
        [fromMs2000, 0, '1'],
        [throughMs2000, 0, '2'],
      ]),
      width,
    ),
  );
};

test('the time axis shows local times, and the date where a day begins', () => {
  assert.deepEqual(axisOf('2026-01-15T20:30:00Z', '2026-01-16T02:30:00Z', 'Europe/Copenhagen', 480), {
    times: ['22:00', '23:00', '00:00', '01:00', '02:00', '03:00'],
    dates: ['Thu 15 Jan', 'Fri 16 Jan'],
  });
  assert.deepEqual(axisOf('2026-01-15T13:00:00Z', '2026-01-15T13:00:10Z', 'America/St_Johns').times.slice(0, 3), [
    '09:30:00',
    '09:30:01',
    '09:30:02',
  ]);
  assert.deepEqual(axisOf('2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z', 'UTC'), {
    times: ['Mon 5 Jan', 'Mon 12 Jan', 'Mon 19 Jan', 'Mon 26 Jan'],
    dates: [],
  });
});

test('the skipped hour has no tick in the night in which clocks are put forward', () => {
  assert.deepEqual(axisOf('2026-03-28T23:00:00Z', '2026-03-29T04:00:00Z'), {
    times: ['00:00', '00:30', '01:00', '01:30', '03:00', '03:30', '04:00', '04:30', '05:00', '05:30', '06:00'],
    dates: ['Sun 29 Mar', 'clocks +1 h'],
  });
});

test('the repeated hour has its ticks twice in the night in which clocks are put back', () => {
  assert.deepEqual(axisOf('2026-10-24T22:00:00Z', '2026-10-25T03:00:00Z'), {
    times: ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '02:00', '02:30', '03:00', '03:30', '04:00'],
    dates: ['Sun 25 Oct', 'clocks −1 h'],
  });
});

const hostile = [
  '<script>alert(1)</script>',
  '"><image href="x" onerror="alert(1)"/>',
  "' onload='alert(1)",
  '</title><script>alert(1)</script>',
  '<!--',
  ']]>',
  '<![CDATA[',
  '&lt;&amp;&#0;&x;',
  '\u0000\u0001\u000b\u001b\ufffe\ud800',
];

test('no text becomes markup, and the drawing is well-formed XML', () => {
  const tagsOf = (svg: string): string[] =>
    allOf(readSvg(svg))
      .filter(({ name }) => name !== 'text' && name !== 'title')
      .map(({ name, attributes }) => `${name} ${Object.keys(attributes).join()}`);
  const allowed = new Set(['svg', 'title', 'desc', 'rect', 'text', 'tspan', 'g', 'path', 'circle']);
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: codePoint, minLength: 1 })), (text) => {
      const draw = (word: string): string => {
        const enumColumn = column('E', { label: word, valueType: 'enum', options: [word, 'other'] });
        const columns = [column('A', { label: word, unitOfMeasure: word }), enumColumn];
        const head = headOf(columns, { unitName: word, locationName: word, documentKid: word });
        return render(
          head,
          samplesOf([
            [start, 0, '1'],
            [start, 1, word],
            [start + 9, 0, word],
          ]),
        );
      };
      const svg = draw(text);
      assert.deepEqual(tagsOf(svg), tagsOf(draw('word')));
      for (const { name, attributes } of allOf(readSvg(svg))) {
        assert.ok(allowed.has(name), name);
        assert.ok(!Object.keys(attributes).some((key) => /^on|href|^style$/i.test(key)));
      }
    }),
  );
});

test('a drawing has a title and a description for people who cannot see it', () => {
  const { head, samples } = createWashingRun(false);
  const root = readSvg(render(head, samples));
  assert.equal(root.attributes['role'], 'img');
  const [title, description] = (root.attributes['aria-labelledby'] ?? '')
    .split(' ')
    .map((id) => allOf(root).find(({ attributes }) => attributes['id'] === id));
  assert.equal(title?.text, 'Washer 2, Alder Lane 4');
  assert.match(
    description?.text ?? '',
    /^Sat 21 Nov 2026, 14:03:12 – 14:51:12, Europe\/Copenhagen, UTC\+1\. Running\. /,
  );
  assert.match(description?.text ?? '', /Temperature \(°C\): \d+ values, from 17\.\d to 6\d\.\d, last \d+\.\d\./);
  assert.match(description?.text ?? '', /Door closed: 1 value, last true\./);
  for (const finished of [true, false]) {
    const run = createWashingRun(finished);
    assert.equal(textsOf(readSvg(render(run.head, run.samples))).includes('Finished'), finished);
    assert.equal(textsOf(readSvg(render(run.head, run.samples))).includes('Running'), !finished);
  }
});

test('everything is inside the drawing at every width, and no coordinate is invalid', () => {
  const extreme = headOf(
    Array.from({ length: 6 }, (_, index) => column(`C${index}`)),
    { throughMs2000: start },
  );
  const edges = ['1.7976931348623157e308', '-1.7976931348623157e308', '5e-324', '0', '1e17', '12345678.001'];
  const documents = [
    createWashingRun(),
    createMeterMonth(),
    {
      head: extreme,
      samples: samplesOf(
        edges.flatMap((text, index): Sample[] => [
          [start, index, text],
          [start + 1, index, index === 0 ? (edges[1] as string) : text],
        ]),
      ),
    },
  ];
  for (const { head, samples } of documents)
    for (const width of [480, 1200, 2400]) {
      const svg = render(head, samples, width);
      assert.ok(!/NaN|Infinity|undefined|null/.test(svg));
      const root = readSvg(svg);
      assert.deepEqual(
        [root.attributes['width'], root.attributes['viewBox']?.split(' ')[2]],
        [String(width), String(width)],
      );
      const height = Number(root.attributes['height']);
      for (const panel of readPanels(svg).values())
        for (const { x, y } of [...readStretches(panel).flat(), ...readCircles(panel)])
          assert.ok(x >= 0 && x <= width && y >= 0 && y <= height);
      for (const { attributes } of allOf(root).filter(({ name }) => name === 'text'))
        assert.ok(
          Number(attributes['x']) >= 0 && Number(attributes['x']) <= width && Number(attributes['y']) <= height,
        );
    }
});
