/**
 * A page of Firefox or WebKit with the parts of Playwright's Page that seen.ts and the journeys use, so that the same
 * journey runs in every engine.
 */

import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { type Driver, Refused } from './driver';
import type { Step, Words } from './inPage';

const WAIT_MS = 90_000;
type Named = { name?: string | RegExp; exact?: boolean };
type Exact = { exact?: boolean };
const words = (wanted: string | RegExp, exact = false): Words =>
  typeof wanted === 'string' ? { text: wanted, exact } : { source: wanted.source, flags: wanted.flags };

let finder: Promise<string> | undefined;
const inPageText = () =>
  (finder ??= (async () => {
    const {
      outputFiles: [file],
    } = await build({
      entryPoints: ['test/engines/inPage.ts'],
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      target: 'es2022',
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"', process: 'undefined', global: 'globalThis' },
    });
    return file?.text ?? '';
  })());

/** Named keys by their characters in WebDriver. */
const keys = { Enter: '\ue007', Delete: '\ue017' };

/** What may go by itself: the element was drawn anew, has moved, or something lies over it for a moment. */
const goesBy = (error: unknown) =>
  error instanceof Refused &&
  /^(stale element reference|element click intercepted|element not interactable|no such element)$/.test(error.why);

class Within {
  protected readonly on: DrivenPage;
  readonly steps: readonly Step[];
  constructor(on: DrivenPage | undefined, steps: readonly Step[]) {
    this.on = on ?? (this as unknown as DrivenPage);
    this.steps = steps;
  }
  #then = (step: Step, ...more: Step[]) => new DrivenLocator(this.on, [...this.steps, step, ...more]);
  getByRole = (role: string, { name, exact }: Named = {}) =>
    this.#then({
      by: 'role',
      role,
      name: name === undefined ? null : words(name, exact),
    });
  getByLabel = (label: string | RegExp, { exact }: Exact = {}) =>
    this.#then({ by: 'label', words: words(label, exact) });
  getByText = (text: string | RegExp, { exact }: Exact = {}) => this.#then({ by: 'text', words: words(text, exact) });
  locator = (path: string, { hasText }: { hasText?: string | RegExp } = {}) =>
    this.#then(
      path.startsWith('xpath=') ? { by: 'xpath', path: path.slice(6) } : { by: 'css', path },
      ...(hasText === undefined ? [] : [{ by: 'containing', words: words(hasText) } as const]),
    );
  filter({ hasText, has }: { hasText?: string | RegExp; has?: DrivenLocator }) {
    return new DrivenLocator(this.on, [
      ...this.steps,
      ...(hasText === undefined ? [] : [{ by: 'containing', words: words(hasText) } as const]),
      ...(has ? [{ by: 'having', steps: has.steps } as const] : []),
    ]);
  }
  first = () => this.nth(0);
  nth = (index: number) => this.#then({ by: 'nth', index });
}

class DrivenLocator extends Within {
  /** Does something to the one element, once there is exactly one that can be seen. */
  async #act<T>(name: string, act: (element: object) => Promise<T>): Promise<T> {
    return this.on
      .waiting(`${name} ${JSON.stringify(this.steps)}`, async () => {
        const element = await this.on.one(this.steps);
        return element && { done: await act(element) };
      })
      .then(({ done }) => done);
  }
  #read = <T>(read: (element: HTMLInputElement) => T) =>
    this.#act('read', (element) => this.on.run(read, element)) as Promise<T>;

  /** Clicks where the element lies still; a click that did not reach it counts as none. */
  click = () =>
    this.#act('click', async (element) => {
      await this.on.run(async (target: Element) => {
        // WebKit's `nearest` takes the place below a scroll bar for one that can be clicked.
        target.scrollIntoView({ block: 'nearest', inline: 'center' });
        const place = () => {
          const { x, y, width, height } = target.getBoundingClientRect();
          return [x, y, width, height].join();
        };
        for (let before = ''; before !== place(); ) {
          before = place();
          await new Promise((drawn) => {
            requestAnimationFrame(() => requestAnimationFrame(drawn));
          });
        }
        window.clicked = false;
        addEventListener(
          'click',
          (event) => {
            window.clicked ||= event.composedPath().includes(target);
          },
          { capture: true },
        );
      }, element);
      await this.on.command('WebDriver:ElementClick', { id: idOf(element) });
      if (!(await this.on.run(() => window.clicked ?? true)))
        throw new Refused('element click intercepted', 'the click went elsewhere');
    });
  async fill(text: string) {
    await this.#read((element) => {
      element.focus();
      element.select();
    });
    await this.#type(text || keys.Delete);
  }
  #type = (text: string) =>
    this.#act('type', (element) => this.on.command('WebDriver:ElementSendKeys', { id: idOf(element), text }));
  press = (key: 'Enter') => this.#type(keys[key]);
  selectOption = (wanted: string) =>
    this.#act('select', async (select) => {
      const option = await this.on.run(
        (element: HTMLSelectElement, text: string) =>
          [...element.options].find(({ value, label }) => value === text || label === text) ?? null,
        select,
        wanted,
      );
      if (!option) throw new Refused('no such element', wanted);
      await this.on.command('WebDriver:ElementClick', { id: idOf(option) });
    });
  inputValue = () => this.#read((element) => element.value);
  isDisabled = () => this.#read((element) => element.matches(':disabled'));
  textContent = () => this.#read((element) => element.textContent);
  innerText = () => this.#read((element) => element.innerText);
  scrollIntoViewIfNeeded = () =>
    this.#read((element) => element.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
  count = () => this.on.find((steps: Step[]) => window.inPage.find(steps).length, this.steps);
  allInnerTexts = () =>
    this.on.find(
      (steps: Step[]) => window.inPage.find(steps).map((element) => (element as HTMLElement).innerText),
      this.steps,
    );
  all = async () => Array.from({ length: await this.count() }, (_, index) => this.nth(index));
  async waitFor({ state = 'visible' }: { state?: 'visible' | 'detached' } = {}) {
    await this.on.waiting(`${state} ${JSON.stringify(this.steps)}`, async () => {
      const [found, seen] = await this.on.find((steps: Step[]) => {
        const all = window.inPage.find(steps);
        return [all.length, all.filter(window.inPage.isSeen).length] as const;
      }, this.steps);
      return { visible: seen > 0, detached: found === 0 }[state] ? true : undefined;
    });
  }
}

const idOf = (element: object) => String(Object.values(element)[0]);

/** What a page of the driver does, by Playwright's names. */
export class DrivenPage extends Within {
  readonly driver: Driver;
  #address = 'about:blank';
  constructor(driver: Driver) {
    super(undefined, []);
    this.driver = driver;
  }
  command = (...command: Parameters<Driver['send']>) => this.driver.send(...command);
  /** Runs a function in the page; elements come and go as WebDriver names them. */
  async run<In extends unknown[], Out>(act: (...args: In) => Out, ...args: unknown[]): Promise<Awaited<Out>> {
    const script = `return (async (...args) => [location.href, await (${String(act)})(...args) ?? null])(...arguments)`;
    const [address, out] = (await this.command('WebDriver:ExecuteScript', { script, args })) as [string, Awaited<Out>];
    this.#address = address;
    return out;
  }
  async find<Out>(look: (steps: Step[]) => Out, steps: readonly Step[]): Promise<Awaited<Out>> {
    if (!(await this.run(() => 'inPage' in window)))
      await this.command('WebDriver:ExecuteScript', { script: await inPageText(), args: [] });
    return this.run(look, steps);
  }
  /** The element of these steps, when it can be seen; more than one is a mistake. */
  one = (steps: readonly Step[]): Promise<object | null> =>
    this.find((path) => {
      const all = window.inPage.find(path),
        [found] = all;
      if (all.length > 1) throw new Error(`${all.length} elements for ${JSON.stringify(path)}`);
      if (!found) return null;
      if (!window.inPage.isSeen(found)) found.scrollIntoView({ block: 'nearest' });
      return window.inPage.isSeen(found) ? found : null;
    }, steps) as Promise<object | null>;
  async waiting<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
    const until = Date.now() + WAIT_MS;
    let last: unknown = 'it was not there';
    while (Date.now() < until) {
      const found = await look().catch((error: unknown) => {
        if (!goesBy(error)) throw error;
        last = error;
      });
      if (found !== undefined && found !== null) return found;
      await setTimeout(30);
    }
    throw new Error(`${this.driver.name}, ${this.#address}: ${what}: ${String(last)}`);
  }
  url = () => this.#address;
  async goto(url: string) {
    await this.command('WebDriver:Navigate', { url });
    this.#address = url;
  }
  goBack = () => this.command('WebDriver:Back');
  evaluate = <In, Out>(act: (arg: In) => Out, arg?: In) => this.run(act, arg ?? null);
  waitForFunction = <In>(look: (arg: In) => unknown, arg?: In) =>
    this.waiting(String(look), async () => ((await this.evaluate(look, arg)) ? true : undefined));
  /** For what is written for Playwright: what it asks of a page beyond the above fails at once. */
  get asPage(): Page {
    return this as unknown as Page;
  }
}
