/** Draws the app of somebody signed in before React DOM, half of all bytes, has arrived; main.tsx then takes it over as it stands. */
import { App as Whole } from './App';
import { keepAsked } from './asked';
import { drawOnce } from './drawOnce';
import { fetchOnce, page } from './first';
import { rememberInput } from './meanwhile';
import { App, Root } from './Root';
import { storedSession } from './stored';

const root = document.getElementById('root');
if (root && storedSession().user) {
  await App.fetch(Whole);
  try {
    await begin(root);
    void refresh(root).catch(console.warn);
  } catch (error) {
    console.warn(error); // React tries again, and says what is wrong
  }
}

/** The shell; and in it at once what the server has said already, or else said a few minutes ago, marked as being refreshed. */
async function begin(root: HTMLElement): Promise<void> {
  rememberInput(root);
  const first = globalThis.firstAnswer;
  const known = (await Promise.race([first?.text, first?.old ?? new Promise<undefined>((resolve) => { setTimeout(resolve); })])) ?? (await first?.old);
  if (known === undefined || !drawWith(root, known)) draw(root);
}

async function refresh(root: HTMLElement): Promise<void> {
  const first = globalThis.firstAnswer, text = await first?.text, answer = await first?.answer;
  if (!first || !answer || text === undefined) return;
  if (answer.type === 'basic' && /\bauthorization\b/i.test(answer.headers.get('Vary') ?? '')) keepAsked(first.url);
  // Nothing is drawn again that says the same, nor under anybody's hands.
  if (text !== first.drawn && !page.isTakenOver && !root.contains(document.activeElement)) drawWith(root, text);
}

/** Draws with this answer to the first call; false when it cannot be read, which the app will say. */
function drawWith(root: HTMLElement, text: string): boolean {
  const first = globalThis.firstAnswer, before = first?.drawn;
  if (!first) return false;
  try {
    first.drawn = text;
    draw(root);
    return true;
  } catch {
    if (before === undefined) delete first.drawn;
    else first.drawn = before;
    return false;
  }
}

function draw(root: HTMLElement): void {
  if (page.isTakenOver) return;
  drawOnce(<Root fetch={fetchOnce} />, root);
  page.isDrawn = true;
  const { classList } = document.documentElement;
  classList.remove('signed-in');
  classList.add('drawing'); // the rows out of sight come once those in sight are painted
  requestAnimationFrame(() => setTimeout(() => classList.remove('drawing')));
}
