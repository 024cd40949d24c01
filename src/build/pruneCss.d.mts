export function pruneCss(css: string, options: { sources: string; unwanted?: (selector: string) => boolean; also?: string }): string;
