// The few members of the browser that the page's scripts use; its types are not part of this project's library.

export interface PageElement {
  textContent: string | null;
  innerHTML: string;
  disabled: boolean;
  checked: boolean;
  value: string;
  hidden: boolean;
  id: string;
  tabIndex: number;
  readonly dataset: Record<string, string | undefined>;
  readonly style: { setProperty(name: string, value: string): void; width: string; transform: string };
  readonly classList: {
    toggle(name: string, on: boolean): void;
    add(name: string): void;
    remove(name: string): void;
    contains(name: string): boolean;
  };
  addEventListener(type: string, listener: (event: PageEvent) => void, options?: object): void;
  dispatchEvent(event: Event): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  scrollIntoView(options: object): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  append(...children: PageElement[]): void;
  replaceWith(other: PageElement): void;
  closest(selector: string): PageElement | null;
  focus(options?: object): void;
  click(): void;
  requestFullscreen?(): Promise<void>;
  getBoundingClientRect(): {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly previousElementSibling: PageElement | null;
  readonly nextElementSibling: PageElement | null;
  readonly offsetTop: number;
  readonly clientWidth: number;
  readonly clientHeight: number;
  readonly scrollWidth: number;
  scrollTop: number;
  scrollLeft: number;
}

export interface PageEvent {
  readonly key: string;
  readonly target: PageElement;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly deltaY: number;
  readonly clientX: number;
  readonly clientY: number;
  readonly buttons: number;
  preventDefault(): void;
  stopPropagation(): void;
}

export interface Page {
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
  readonly documentElement: PageElement;
  readonly fullscreenElement: PageElement | null;
  exitFullscreen(): Promise<void>;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createElement(tag: string): PageElement;
}

/** Of the browser's globals, those that tell when something comes into view. */
export interface Observing {
  readonly IntersectionObserver: new (
    callback: (
      entries: readonly { readonly target: PageElement; readonly isIntersecting: boolean }[],
    ) => void,
  ) => { observe(element: PageElement): void; unobserve(element: PageElement): void };
}
