export function isSpread(url: string): Promise<boolean>;
export function spreadDatabase(url: string, name: string): Promise<Record<'DATABASE_URL' | 'SUPERUSER_URL', string>>;
