import type { permissionPresets } from '../../contract/permissions';
import type { ManualRedeemPlatform, PaymentPlatform } from '../../contract/platforms';

export interface DemoAccount {
  email: string;
  role: 'super_admin' | 'admin' | 'support';
  tenantId: number;
  isActive?: boolean;
  /** The job whose permissions the account has; without it the usual ones. */
  job?: keyof typeof permissionPresets;
}

/** The accounts of the README, and others that fill the Admins screen. */
export const accounts: readonly DemoAccount[] = [
  { email: 'super@demo.test', role: 'super_admin', tenantId: 1 },
  { email: 'ann@acme.test', role: 'admin', tenantId: 2 },
  { email: 'ben@bravo.test', role: 'admin', tenantId: 3 },
  { email: 'oli@acme.test', role: 'support', tenantId: 2 },
  { email: 'amos@acme.test', role: 'admin', tenantId: 2 },
  { email: 'former@acme.test', role: 'admin', tenantId: 2, isActive: false },
  { email: 'hana@harbor.test', role: 'admin', tenantId: 4, job: 'Manager' },
  { email: 'nils@northern.test', role: 'admin', tenantId: 5 },
  { email: 'paz@pacific.test', role: 'admin', tenantId: 6 },
  { email: 'sam@acme.test', role: 'admin', tenantId: 2, job: 'Support' },
  { email: 'cleo@acme.test', role: 'admin', tenantId: 2, job: 'Cashier' },
  { email: 'fay@acme.test', role: 'admin', tenantId: 2, job: 'Finance' },
  { email: 'mona@acme.test', role: 'admin', tenantId: 2, job: 'Manager' },
  { email: 'finn@harbor.test', role: 'admin', tenantId: 4, job: 'Finance' },
];

export interface DemoTenant {
  id: number;
  name: string;
  description: string | null;
  email: string | null;
  time_zone: string;
  redeems_from_game?: true;
  players: number;
  signUpsToday: number;
  /** The game platforms of the tenant. Those in `unassigned` only have credentials left. */
  platforms: readonly ManualRedeemPlatform[];
  unassigned: readonly ManualRedeemPlatform[];
  affiliates: readonly string[];
  processors: Partial<Record<PaymentPlatform, boolean>>;
}

export const tenants: readonly DemoTenant[] = [
  {
    id: 2,
    name: 'Acme',
    description: 'Neighbourhood arcades in the south-east',
    email: 'office@acme.test',
    time_zone: 'UTC',
    players: 900,
    signUpsToday: 14,
    platforms: ['golden_dragon', 'vblink', 'ultrapanda', 'yolo', 'juwa777', 'firekirin', 'orionstar'],
    unassigned: ['luckysweeps'],
    affiliates: ['AFF-1001', 'AFF-1002', 'AFF-1007', 'streamer-zoe', 'fishgame-weekly'],
    processors: { flikpay: true, btcpay: true, apex: false },
  },
  {
    id: 3,
    name: 'Bravo',
    description: 'Online sweepstakes club',
    email: 'hello@bravo.test',
    time_zone: 'UTC',
    players: 640,
    signUpsToday: 10,
    platforms: ['bluedragon', 'vblink', 'yolo', 'firekirin', 'milkyway'],
    unassigned: ['riversweeps'],
    affiliates: ['BR-20', 'BR-21', 'nightowl', 'casino-compare'],
    processors: { flikpay: true, btcpay: true },
  },
  {
    id: 4,
    name: 'Lucky Harbor',
    description: 'Three harbour-front halls and their online guests',
    email: 'team@harbor.test',
    time_zone: 'UTC',
    redeems_from_game: true,
    players: 460,
    signUpsToday: 7,
    platforms: ['golden_dragon', 'luckysweeps', 'riversweeps', 'orionstar'],
    unassigned: [],
    affiliates: ['dockside', 'LH-5', 'LH-9'],
    processors: { apex: true },
  },
  {
    id: 5,
    name: 'Northern Lights Arcade',
    description: null,
    email: null,
    time_zone: 'UTC',
    players: 310,
    signUpsToday: 5,
    platforms: ['milkyway', 'juwa777', 'ultrapanda'],
    unassigned: ['yolo'],
    affiliates: ['aurora', 'NL-1'],
    processors: { btcpay: false },
  },
  {
    id: 6,
    name: 'Pacific Reels',
    description: 'West coast, open round the clock',
    email: 'ops@pacific.test',
    time_zone: 'America/Los_Angeles',
    players: 370,
    signUpsToday: 6,
    platforms: ['bluedragon', 'golden_dragon', 'firekirin', 'milkyway', 'orionstar'],
    unassigned: ['vblink'],
    affiliates: ['surf-and-spin', 'PR-77', 'PR-78'],
    processors: { flikpay: true, apex: true },
  },
];
