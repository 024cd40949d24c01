/** The product's name, on the login screen and in the document's title (spec 1). */
export const APP_TITLE = 'Gaming Management';
