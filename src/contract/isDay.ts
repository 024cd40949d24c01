import { DATE_MAX, DATE_MIN } from './constants';

/** Whether a text is a day as YYYY-MM-DD that the calendar has; not one that is half typed. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  text >= DATE_MIN &&
  text <= DATE_MAX &&
  new Date(`${text}T12:00:00Z`).toJSON()?.startsWith(text) === true;
