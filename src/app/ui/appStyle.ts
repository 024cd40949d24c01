/**
 * The style sheet of the app. The page inlines only what the login needs, and its policy allows no further style
 * element or link, so this one comes as text with the app's scripts.
 */
import css from '../../../static/app.css';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
