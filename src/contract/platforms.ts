/** Where money goes on to: the game platforms, how a redeem is paid, and the payment processors. */

/** How the platforms are called on screen. */
export const platformLabels = {
  golden_dragon: 'Golden Dragon',
  bluedragon: 'Blue Dragon',
  vblink: 'VBlink',
  ultrapanda: 'Ultra Panda',
  yolo: 'YOLO',
  juwa777: 'Juwa 777',
  firekirin: 'Fire Kirin',
  luckysweeps: 'Lucky Sweeps',
  riversweeps: 'River Sweeps',
  orionstar: 'Orion Stars',
  milkyway: 'Milky Way',
} as const;
export type ManualRedeemPlatform = keyof typeof platformLabels;
export const manualRedeemPlatforms = /* @__PURE__ */ Object.keys(platformLabels) as readonly ManualRedeemPlatform[];
export const payoutMethods = ['Crypto Wallet', 'Cash Tag', 'PayPal'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

/** Payment processors with their labels and the fields of their forms (docs/product.md, "Payment methods"). */
export const paymentPlatforms = {
  flikpay: { label: 'FlikPay', fields: ['api_key', 'merchant_id', 'webhook_secret'] },
  apex: { label: 'Apex Processing', fields: ['api_key', 'secret_key', 'merchant_id'] },
  btcpay: { label: 'BTC Pay', fields: ['server_url', 'api_key', 'store_id'] },
} as const;
export type PaymentPlatform = keyof typeof paymentPlatforms;
export const paymentPlatformNames = /* @__PURE__ */ Object.keys(paymentPlatforms) as [
  PaymentPlatform,
  ...PaymentPlatform[],
];
