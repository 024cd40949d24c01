/** The product's name, on the login screen and in the document's title (docs/product.md, "Routes and menus"). */
export const APP_TITLE = 'Gaming Management';
