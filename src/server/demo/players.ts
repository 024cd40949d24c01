/** The players of the sample data, and how often each plays. */
import type { ManualRedeemPlatform } from '../../contract/platforms';
import type { DemoTenant } from './cast';
import { pickName } from './names';
import type { Random } from './random';

/** Turns a number of days before today, and a fraction of that business day, into a past time in milliseconds. */
export type Clock = (daysAgo: number, fraction: number) => number;

/** Those in snake case are columns of `players`. */
export interface DemoPlayer {
  tenant_id: number;
  /** Assigned once all are known, in order of sign-up. */
  id: number;
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone_number: string | null;
  referral_id: string | null;
  affiliate_id: string | null;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
  signedUp: number;
  /** The fraction of the day at which they signed up; nothing of theirs is earlier. */
  signedUpAt: number;
  visitChance: number;
  firstBuysToday: boolean;
  platforms: ManualRedeemPlatform[];
  /** Redeems need no credit: they are paid from the game. */
  paidFromGame: boolean;
  openingCredit: number;
  openingBonus: number;
  dayOf(at: number): string;
}

/** Days of history. Players who signed up earlier have an opening balance. */
export const HISTORY_DAYS = 90;
/** The longest time since a sign-up, in days. */
export const OLDEST_SIGN_UP = 520;

const areaCodes = [205, 212, 305, 404, 415, 504, 617, 702, 713, 808, 901, 917];

export function createPlayers(tenant: DemoTenant, clock: Clock, random: Random): DemoPlayer[] {
  const emails = new Set<string>();
  const regulars = getNamedPlayers(tenant);
  const days = new Intl.DateTimeFormat('en-CA', { timeZone: tenant.time_zone });
  return Array.from({ length: tenant.players }, (_, n) => {
    const player = { ...createPlayer(tenant, n, clock, random), dayOf: (at: number) => days.format(at) };
    const given = regulars[n];
    if (given) Object.assign(player, given);
    for (let more = 2; emails.has(player.email); more++) player.email = player.email.replace(/\d*@/, `${more}@`);
    emails.add(player.email);
    return player;
  });
}

/** Players that documents and demonstrations mention: an admin who also plays, and one e-mail in two tenants. */
function getNamedPlayers(tenant: DemoTenant): Partial<DemoPlayer>[] {
  const settled = {
    is_active: true,
    visitChance: 0,
    firstBuysToday: false,
    openingCredit: 150_000,
    openingBonus: 2_500,
  };
  const admins: Record<string, Partial<DemoPlayer>> = {
    Acme: { email: 'ann@acme.test', first_name: 'Ann', last_name: 'Acker' },
    Bravo: { email: 'ben@bravo.test', first_name: 'Ben', last_name: 'Bravo' },
  };
  const admin = admins[tenant.name];
  return admin
    ? [
        { ...settled, ...admin },
        { email: 'sam@mail.test', first_name: 'Sam', last_name: 'Rivers' },
      ]
    : [];
}

function createPlayer(tenant: DemoTenant, n: number, clock: Clock, random: Random): Omit<DemoPlayer, 'dayOf'> {
  const isNew = n >= tenant.players - tenant.signUpsToday;
  const signedUp = isNew
    ? 0
    : n > 1 && random.chance(0.4)
      ? random.between(1, HISTORY_DAYS - 1)
      : random.between(HISTORY_DAYS + 1, OLDEST_SIGN_UP);
  const signedUpAt = random.next() * 0.7;
  const createdAt = new Date(clock(signedUp, signedUpAt));
  const isOld = signedUp > HISTORY_DAYS;
  const name = pickName(random);
  const firstBuysToday = isNew ? random.chance(0.6) : n > 1 && random.chance(0.008);
  return {
    tenant_id: tenant.id,
    id: 0,
    email: createEmail(name.latinFirst, name.latinLast, random),
    first_name: random.chance(0.96) ? name.first : null,
    last_name: random.chance(0.94) ? name.last : null,
    phone_number: random.chance(0.88) ? createPhone(random) : null,
    referral_id: random.chance(0.15) ? `REF-${random.code(6)}` : null,
    affiliate_id: random.chance(0.45) ? pickAffiliate(tenant, random) : null,
    is_active: random.chance(0.97),
    created_at: createdAt,
    updated_at:
      isOld && random.chance(0.5) ? new Date(clock(random.between(0, HISTORY_DAYS), random.next())) : createdAt,
    signedUp,
    signedUpAt,
    visitChance: random.weighted([
      [0.02, 60],
      [0.09, 30],
      [0.25, 10],
    ]),
    firstBuysToday,
    platforms: [...new Set(Array.from({ length: random.between(1, 3) }, () => random.pick(tenant.platforms)))],
    paidFromGame: tenant.redeems_from_game ?? false,
    openingCredit: isOld && random.chance(0.35) ? random.between(100, 12_000) : 0,
    openingBonus: isOld && random.chance(0.2) ? random.between(1, 10) * 500 : 0,
  };
}

function createEmail(first: string, last: string, random: Random): string {
  const separator = random.pick(['.', '_', '', '.']);
  const number = random.chance(0.6) ? random.between(1, 99) : '';
  const host = random.pick(['mail.test', 'post.test', 'inbox.test', 'web.test']);
  return `${first}${separator}${last}${number}@${host}`;
}

// 555-0100 to 555-0199 are reserved for fiction.
function createPhone(random: Random): string {
  const [area, line] = [random.pick(areaCodes), `01${String(random.between(0, 99)).padStart(2, '0')}`];
  return random.pick([`+1 (${area}) 555-${line}`, `${area}-555-${line}`, `+1${area}555${line}`]);
}

// Affiliate ids are entered in any case; it is the same affiliate.
const pickAffiliate = (tenant: DemoTenant, random: Random): string => {
  const affiliate = random.pick(tenant.affiliates);
  return random.chance(0.05) ? affiliate.toUpperCase() : affiliate;
};
