// What the rest of the page can do: search, filter, unfold what a link points to, copy commands, switch the theme. Written into the page
// as its own text: see run-viewer.ts.

import type { Observing, Page } from './dom.ts';

/** A long listing opens at its first marked line, when it comes into view: to measure it earlier would lay out the whole page. */
export function scrollToMarks(page: Page): void {
  const { IntersectionObserver } = globalThis as unknown as Observing;
  const watch = new IntersectionObserver((entries) => {
    for (const { target: box, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(box);
      const marked = box.querySelector('.line.loop, .line.touched')!;
      box.scrollTop = marked.offsetTop - box.offsetTop - 80;
    }
  });
  for (const box of page.querySelectorAll('.scroll:has(.line.loop, .line.touched)')) watch.observe(box);
}

/** Builds what is folded away when it is unfolded: until then it is only text (`later` in markup.ts). */
export function foldedParts(page: Page): void {
  for (const details of page.querySelectorAll('details.later')) {
    details.addEventListener('toggle', () => {
      const waiting = details.querySelector('noscript');
      if (waiting === null) return;
      const box = page.createElement('div');
      box.innerHTML = waiting.textContent ?? '';
      waiting.replaceWith(box);
      searchBoxes(page, box);
    });
  }
}

/** Search boxes filter the rows of the table they name. */
export function searchBoxes(page: Page, inside: Pick<Page, 'querySelectorAll'> = page): void {
  for (const box of inside.querySelectorAll('input[data-filters]')) {
    box.addEventListener('input', () => {
      const wanted = box.value.toLowerCase();
      for (const row of page.querySelectorAll(`#${box.dataset['filters']} tbody tr`)) {
        row.classList.toggle('filtered', !(row.textContent ?? '').toLowerCase().includes(wanted));
      }
    });
    box.hidden = false;
  }
}

/** The overview of several models: by verdict and by text; models that do not match are hidden below, too. */
export function overviewFilter(page: Page): void {
  const overview = page.querySelector('#overview');
  if (overview === null) return;
  const search = overview.querySelector('input[type="search"]')!;
  const boxes = [...overview.querySelectorAll('input[type="checkbox"]')];
  const apply = (): void => {
    const wanted = search.value.toLowerCase();
    const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
    let shown = 0;
    for (const row of overview.querySelectorAll('tbody tr')) {
      const has = (row.dataset['verdicts'] ?? '').split(' ');
      const fits =
        verdicts.some((one) => has.includes(one)) && (row.textContent ?? '').toLowerCase().includes(wanted);
      row.classList.toggle('filtered', !fits);
      page.querySelector(`#${row.dataset['model']}`)?.classList.toggle('filtered', !fits);
      if (fits) shown++;
    }
    overview.querySelector('.shown')!.textContent = `${shown} shown`;
  };
  search.addEventListener('input', apply);
  for (const box of boxes) box.addEventListener('change', apply);
  overview.querySelector('.filters')!.hidden = false;
}

/** A link to something that is folded away or filtered out shows it. */
export function openTargets(page: Page): void {
  page.documentElement.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const id = link?.getAttribute('href') ?? '#';
    if (id === '#') return;
    const target = page.querySelector(`#${id.slice(1).replace(/[^\w-]/g, '')}`);
    if (target === null) return;
    target.classList.remove('filtered');
    if (target.querySelector(':scope > td > details, :scope > details') !== null)
      target.querySelector('details')!.setAttribute('open', '');
    for (let fold = target.closest('details'); fold !== null; fold = null) fold.setAttribute('open', '');
    if (target.classList.contains('line')) {
      for (const marked of page.querySelectorAll('.source .line.current, .graph .current'))
        marked.classList.remove('current');
      target.classList.add('current');
      for (const edge of page.querySelectorAll(`.graph a[href="${id}"]`)) edge.classList.add('current');
    }
  });
}

/** A line of the listing shows the steps of the process graphs that it stands for. */
export function linesToGraphs(page: Page): void {
  for (const link of page.querySelectorAll('a.edges')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const place = link.closest('.line')!.id;
      for (const marked of page.querySelectorAll('.graph .current')) marked.classList.remove('current');
      for (const box of page.querySelectorAll('.graph'))
        if (box.querySelector('noscript')?.textContent?.includes(`"#${place}"`))
          box.dispatchEvent(new Event('draw'));
      const edges = [...page.querySelectorAll(`.graph a[href="#${place}"]`)];
      for (const edge of edges) edge.classList.add('current');
      const fold = edges[0]?.closest('details');
      fold?.setAttribute('open', '');
      fold?.scrollIntoView({ block: 'nearest' });
      edges[0]?.scrollIntoView({ block: 'center', inline: 'center' });
      edges[0]?.focus({ preventScroll: true });
    });
  }
}

export function copyButtons(page: Page, write: (text: string) => Promise<void>): void {
  for (const button of page.querySelectorAll('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const text = button.previousElementSibling?.textContent ?? '';
      const say = (answer: string) => (): void => {
        button.textContent = answer;
      };
      write(text).then(say('copied'), say('not allowed here'));
    });
  }
}

/** Light, dark, or as the reader's system has it. */
export function themeSwitch(page: Page): void {
  const order = ['auto', 'light', 'dark'];
  const button = page.querySelector('#theme');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const current = page.documentElement.dataset['theme'] ?? 'auto';
    const next = order[(order.indexOf(current) + 1) % order.length]!;
    page.documentElement.dataset['theme'] = next;
    button.textContent = `theme: ${next}`;
  });
}
