/** Atoms as in RFC 5322 and 6531, and a host with a dot: nothing in it is markup, a comment or another address. */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+",
  LABEL = '[\\p{L}\\p{N}]([\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?';
const STRICT_EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@${LABEL}(\\.${LABEL})+$`, 'u');
export const isStrictEmail = (address: string): boolean => STRICT_EMAIL.test(address);
