// Makes elements of the reference page. Texts of a document become text nodes, never markup.

/** An element with attributes, handlers (`onclick`) and children; false and undefined ones are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== false));
  return made;
}

/** A part that is closed at first. Its content is made when it is opened: schemas may contain themselves. */
export function folded(summary, createContent, { open = false } = {}) {
  const part = element('details', {}, element('summary', {}, summary));
  let isMade = false;
  const make = () => {
    if (isMade || !part.open) return;
    isMade = true;
    part.append(...[createContent()].flat());
  };
  part.addEventListener('toggle', make);
  part.open = open;
  make();
  return part;
}

export const codeBlock = (text) => element('pre', {}, element('code', {}, text));

/** The Markdown that the documents use: headings, paragraphs, lists, code, bold text and links. */
export function markdown(text = '') {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const heading = /^(#{1,6})\s+(.*)$/.exec(block);
      if (heading !== null) return element('h3', {}, inline(heading[2]));
      if (block.startsWith('- '))
        return element(
          'ul',
          {},
          block.split(/\n(?=- )/).map((line) => element('li', {}, inline(line.slice(2)))),
        );
      return element('p', {}, inline(block));
    });
}

/** Code, bold text and links of a line. */
export const inline = (text) => text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map(inlinePart);

function inlinePart(part) {
  if (/^`.+`$/s.test(part)) return element('code', {}, part.slice(1, -1));
  if (/^\*\*.+\*\*$/s.test(part)) return element('strong', {}, part.slice(2, -2));
  const link = /^\[(.+)\]\((https?:\/\/.+|[/#].*)\)$/s.exec(part);
  return link === null ? part : element('a', { href: link[2] }, link[1]);
}
