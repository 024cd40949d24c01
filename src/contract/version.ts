/** The version of the product, as in package.json and CHANGELOG.md. */
export const VERSION = '0.2.0';
