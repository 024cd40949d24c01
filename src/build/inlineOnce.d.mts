export function inlineOnce(css: string, sources?: string): string;
