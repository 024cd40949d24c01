/** The version of the product, as in package.json and CHANGELOG.md: semantic versions. */
export const VERSION = '0.2.0';
/** The header in which our server tells its version to who is signed in. Other servers do not send it. */
export const VERSION_HEADER = 'Backoffice-Version';

/** Whether an app of this version fits a server of another: they differ in the last number at most. */
export const fits = (version: string): boolean => version.startsWith(VERSION.replace(/\d+$/, ''));
