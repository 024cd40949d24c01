import { renderToString } from 'react-dom/server';
import { Root } from './Root';

/** The app as it stands before anybody is signed in; build.mjs puts it into index.html. */
export const loginMarkup = (): string => renderToString(<Root />);
