export function pruneCss(css: string, options: { sources: string; unwanted?: (selector: string) => boolean; without?: RegExp; also?: string }): string;
