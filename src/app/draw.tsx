/** Draws the app of somebody signed in before React DOM, two thirds of all bytes, has arrived; main.tsx then takes it over as it stands. */
import { drawOnce } from './drawOnce';
import { fetchOnce, page } from './first';
import { App, Root } from './Root';
import { storedSession } from './stored';

const root = document.getElementById('root');
if (root && storedSession().user) {
  await App.fetch();
  void begin(root).catch(console.warn); // React tries again, and says what is wrong
}

async function begin(root: HTMLElement): Promise<void> {
  root.addEventListener('click', ({ target }) => {
    if (!page.isTakenOver && target instanceof Element) page.pressed = target.closest('button'); // pressed again once it does something
  }, true);
  draw(root);

  const first = globalThis.firstAnswer, answer = await first?.answer;
  if (!first || !answer?.ok) return;
  const text = await answer.clone().text();
  if (page.isTakenOver || root.contains(document.activeElement)) return; // nothing is drawn again under anybody's hands
  try {
    first.drawn = text;
    draw(root);
  } catch {
    delete first.drawn; // cannot be read: the app will say so
  }
}

function draw(root: HTMLElement): void {
  if (page.isTakenOver) return;
  drawOnce(<Root fetch={fetchOnce} />, root);
  page.isDrawn = true;
  document.documentElement.classList.remove('signed-in');
}
