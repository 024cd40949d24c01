import { renderToString } from 'react-dom/server';
import { Root } from '../Root';

/** The app before anybody has signed in; build.mjs puts it into index.html. */
export const loginMarkup = (): string => renderToString(<Root />);
