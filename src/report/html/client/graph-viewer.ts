// Pan, zoom and search in the picture of a graph. Written into the page as its own text: see run-viewer.ts.

import type { Page, PageElement } from './dom.ts';

/** A picture is only text (`later` in markup.ts) until it is unfolded, or a `draw` asks for it; `drawn` tells those who link to it. */
export function graphViewers(page: Page): void {
  const draw = (box: PageElement): void => {
    const waiting = box.querySelector('noscript');
    if (waiting === null) return;
    box.innerHTML = waiting.textContent ?? '';
    box.dispatchEvent(new Event('drawn', { bubbles: true }));
  };
  const begin = (box: PageElement): void => {
    draw(box);
    const svg = box.querySelector('svg');
    const tools = box.previousElementSibling;
    if (svg === null || tools === null || !tools.hidden) return;
    const natural =
      Number.parseFloat(svg.getAttribute('width') ?? '0') *
      (svg.getAttribute('width')?.endsWith('pt') ? 4 / 3 : 1);
    let zoom = 1;
    const setZoom = (value: number, x = 0.5, y = 0.5): void => {
      const before = zoom;
      zoom = Math.max(0.05, Math.min(4, value));
      const width = box.clientWidth;
      const height = box.clientHeight;
      const left = box.scrollLeft + width * x;
      const top = box.scrollTop + height * y;
      svg.style.width = `${natural * zoom}px`;
      box.scrollLeft = (left * zoom) / before - width * x;
      box.scrollTop = (top * zoom) / before - height * y;
    };
    const fitWidth = (): void => setZoom(Math.min(1, (box.clientWidth - 4) / natural));
    const actions: Readonly<Record<string, () => void>> = {
      larger: () => setZoom(zoom * 1.25),
      smaller: () => setZoom(zoom / 1.25),
      fit: fitWidth,
    };
    for (const [name, action] of Object.entries(actions))
      tools.querySelector(`.${name}`)?.addEventListener('click', action);
    box.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const place = box.getBoundingClientRect();
        setZoom(
          zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15),
          (event.clientX - place.left) / place.width,
          (event.clientY - place.top) / place.height,
        );
      },
      { passive: false },
    );
    let from: { x: number; y: number; left: number; top: number } | null = null;
    box.addEventListener('pointerdown', (event) => {
      from = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop };
    });
    box.addEventListener('pointermove', (event) => {
      if (from === null || event.buttons === 0) return;
      box.scrollLeft = from.left - (event.clientX - from.x);
      box.scrollTop = from.top - (event.clientY - from.y);
    });
    box.addEventListener('keydown', (event) => {
      if (event.key === '+') setZoom(zoom * 1.25);
      else if (event.key === '-') setZoom(zoom / 1.25);
      else if (event.key === '0') fitWidth();
      else return;
      event.preventDefault();
    });
    let found: PageElement[] = [];
    let shown = -1;
    const search = tools.querySelector('input');
    const hits = tools.querySelector('.hits');
    const next = (): void => {
      if (found.length === 0) return;
      shown = (shown + 1) % found.length;
      const place = box.getBoundingClientRect();
      const hit = found[shown]!.getBoundingClientRect();
      box.scrollLeft += hit.left - place.left - place.width / 2;
      box.scrollTop += hit.top - place.top - place.height / 2;
      if (hits !== null) hits.textContent = `${shown + 1} of ${found.length}`;
    };
    search?.addEventListener('input', () => {
      for (const one of found) one.classList.remove('found');
      const wanted = search.value.trim().toLowerCase();
      found =
        wanted === ''
          ? []
          : [...svg.querySelectorAll('text')].filter((one) =>
              (one.textContent ?? '').toLowerCase().includes(wanted),
            );
      for (const one of found) one.classList.add('found');
      shown = -1;
      if (hits !== null) hits.textContent = wanted === '' ? '' : `${found.length} found`;
      next();
    });
    search?.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') next();
    });
    tools.hidden = false;
    const fitOnce = (): void => {
      if (zoom === 1 && box.clientWidth > 0 && natural > box.clientWidth) fitWidth();
    };
    fitOnce();
    box.closest('details')?.addEventListener('toggle', fitOnce);
  };
  for (const box of page.querySelectorAll('.graph')) {
    box.addEventListener('draw', () => begin(box));
    const details = box.closest('details');
    if (details === null || details.getAttribute('open') !== null) begin(box);
    else details.addEventListener('toggle', () => begin(box));
  }
}
