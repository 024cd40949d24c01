/** What tests do with the controls of a screen, and read off it. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import * as assert from 'uvu/assert';

export type Within = ReturnType<typeof within>;
type Words = string | RegExp;
export const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
export const click = (place: Within, words: Words) => fireEvent.click(place.getByText(words));
export const press = (place: Within, name: Words) => fireEvent.click(place.getByRole('button', { name }));
/** Types into fields, or chooses, by their labels; then presses a button, if it is named. */
export function fill(place: Within, values: Record<string, string>, then?: Words): void {
  for (const [label, value] of Object.entries(values)) type(place.getByLabelText(label), value);
  if (then) press(place, then);
}
/** Clicks what opens a dialog, and gives back that dialog. */
export async function opens(opener: HTMLElement, name: Words) {
  fireEvent.click(opener);
  return dialogOf(screen, name);
}
export const dialogOf = async (place: Pick<Within, 'findByRole'>, name: Words) =>
  within(await place.findByRole('dialog', { name }));
export const closed = (place: Within) => waitFor(() => assert.not.ok(place.queryByRole('dialog')));
/** Waits for each of these texts. */
export async function sees(place: Within, ...texts: Words[]): Promise<void> {
  for (const text of texts) await place.findByText(text);
}

export const field = (element: HTMLElement) => element as HTMLInputElement;
export const fieldValue = (element: HTMLElement) => field(element).value;
export const isDisabled = (element: HTMLElement) => field(element).disabled;
export const rowOf = async (place: Within, text: Words) => within((await place.findByText(text)).closest('tr')!);
/** The cells of each row below the head. */
export const cellsOf = (place: ParentNode, row = 'tbody tr') =>
  Array.from(place.querySelectorAll<HTMLTableRowElement>(row), ({ cells }) => textsOf(cells));
export const textsOf = (elements: Iterable<Element>) => Array.from(elements, ({ textContent }) => textContent);
/** Without the space between its lines. */
export const textOf = ({ textContent }: Element) => (textContent ?? '').replace(/\s+/g, ' ').trim();
/** What stands in the row with this head. */
export const wordsOfRow = async (place: Within, name: string) =>
  textOf((await place.findByRole('rowheader', { name })).closest('tr')!);
/** What stands in these fields, by their labels. */
export const valuesOf = (place: Within, ...labels: Words[]) =>
  labels.map((label) => fieldValue(place.getByLabelText(label)));
export const attributesOf = (element: Element | null | undefined, ...names: string[]) =>
  names.map((name) => element?.getAttribute(name));
/** The words of the choices. */
export const optionsOf = (select: HTMLElement) => Array.from((select as HTMLSelectElement).options, ({ text }) => text);
/** The heads of the columns, in one text. */
export const headsOf = (place: Within) => textsOf(place.getAllByRole('columnheader')).join(', ');
