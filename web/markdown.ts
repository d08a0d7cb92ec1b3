// The few signs that the service's answers have, as elements: fences, paragraphs, lines, `code` and **bold**. Text stays text.

export function shownMarkdown(markdown: string): HTMLElement {
  const shown = document.createElement('div');
  shown.className = 'hover';
  for (const [index, block] of markdown.split(/^```.*$/m).entries()) {
    if (block.trim() === '') continue;
    // Between an odd fence and the next is code.
    if (index % 2 === 1) shown.append(made('pre', block.trim()));
    else for (const paragraph of block.trim().split(/\n{2,}/)) shown.append(inline(paragraph));
  }
  return shown;
}

function inline(paragraph: string): HTMLElement {
  const shown = document.createElement('p');
  for (const [index, line] of paragraph.split(/ {2}\n|\n/).entries()) {
    if (index > 0) shown.append(document.createElement('br'));
    for (const piece of line.split(/(`[^`]+`|\*\*[^*]+\*\*)/)) {
      if (piece.startsWith('`') && piece.length > 2) shown.append(made('code', piece.slice(1, -1)));
      else if (piece.startsWith('**') && piece.length > 4) shown.append(made('strong', piece.slice(2, -2)));
      else shown.append(piece);
    }
  }
  return shown;
}

function made(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
