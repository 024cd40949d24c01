export function shortNames(css: string, sources?: string): string;
